import type { StoredSession } from "./stored-session.js";
import type { WriteContext } from "./write-context.js";

/** A life of a session is over: nobody writes to its log any more, and its rows go when nobody uses them. */
export function leaveLife({ statements }: WriteContext, before: StoredSession | undefined): void {
  if (before?.log === undefined) return;
  statements.leaveLog.run(before.log.id);
  statements.soilLeanedOn.run(before.key);
  statements.deleteLeans.run(before.key);
  statements.deleteParts.run(before.key);
}
