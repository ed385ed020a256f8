import { Damage } from "@sessions/protocol/backend";
import { DanglingLink } from "../engine/dangling-link.js";
import { hasCode } from "../engine/has-code.js";

/** What stands in the place of a session's folder or segment and is something else, as damage. Other errors stay as they are. */
export function asDamage(error: unknown, path: string): unknown {
  const problem = problemOf(error);
  return problem === undefined ? error : new Damage(path, problem, { cause: error });
}

function problemOf(error: unknown): string | undefined {
  if (error instanceof DanglingLink) return "the session's folder is a link that leads nowhere";
  if (hasCode(error, "ENOTDIR")) return "a file stands where the session's folder should be";
  if (hasCode(error, "EISDIR")) return "a folder stands where a segment should be";
  if (hasCode(error, "ELOOP")) return "the session's folder is a link that leads to itself";
  return undefined;
}
