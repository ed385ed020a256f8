import { type SummaryRecord, summaryOf } from "@sessions/protocol/backend";
import type { Deadline } from "./deadline.js";
import { refuseNewer } from "./error-mapping.js";
import type { Keys } from "./keys.js";
import { loadedHead } from "./loading.js";
import { Moment } from "./moment.js";
import type { Server } from "./server.js";
import { NO_LOOKUPS, unaskedWindow } from "./unasked.js";
import { wrongTypeIsDamage } from "./wrong-type.js";

/** A session as a list needs it. */
export interface ListedSession {
  readonly summary: SummaryRecord;
  /** Until when it may change without the index being told. */
  readonly lease: number;
}

/** Reads what a list says of a session. `undefined` if there is none: a server hides what has expired. */
export async function listedSession(
  { server, keys }: { readonly server: Server; readonly keys: Keys },
  id: string,
  deadline: Deadline,
): Promise<ListedSession | undefined> {
  const { session } = keys.session(id);
  const fields = await server
    .query(deadline, (client) =>
      client.hmget(session, "r", "g", "e", "k", "n", "u", "x", "o", "p", "z", "y", "v"),
    )
    .catch(wrongTypeIsDamage(session));
  refuseNewer(fields[11]);
  const present = loadedHead(fields, session);
  if (present === undefined) return undefined;
  const { revision, lease } = present.head;
  const { state } = new Moment(id, 0, present, unaskedWindow(revision), NO_LOOKUPS);
  return state?.status === "live" ? { summary: summaryOf(id, state), lease } : undefined;
}
