import { DanglingLink } from "../engine/dangling-link.js";
import { hasCode } from "../engine/has-code.js";
import { Damage } from "./damage.js";

/**
 * What stands where a session's folder or segment should be and is something else, as the damage that it is. Every other
 * error stays what it is.
 */
export function asDamage(error: unknown): unknown {
  if (error instanceof DanglingLink)
    return new Damage(0, "the session's folder is a link that leads nowhere");
  if (hasCode(error, "ENOTDIR")) return new Damage(0, "a file stands where the session's folder should be");
  if (hasCode(error, "EISDIR")) return new Damage(0, "a folder stands where a segment should be");
  if (hasCode(error, "ELOOP")) return new Damage(0, "the session's folder is a link that leads to itself");
  return error;
}
