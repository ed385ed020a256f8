import { invalid } from "../arguments/invalid-argument.js";
import { DEFAULT_LIMITS } from "../arguments/limits.js";
import { requireId } from "../arguments/require-id.js";
import { kindOf } from "../arguments/shown-value.js";

/** An empty part. No other part is encoded like this: every other % in a key is followed by two digits. */
const EMPTY = "%";

/**
 * A session id made of several parts, such as a user and a chat of that user. Different parts give different ids, whatever
 * characters they contain: `sessionKey("ann", "x:1")` is not `sessionKey("ann:x", "1")`. With a plain
 * `${user}:${chatId}`, the user `ann` could read a chat of the user `ann:x` by asking for the chat `x:1`.
 *
 * Parts without `:` and `%` stay readable: `sessionKey("ann", "1")` is `ann:1`. A key of more than 512 bytes is TOO_LARGE,
 * so shorten a long part yourself, for instance to its SHA-256.
 *
 * @example
 * ```ts
 * const chat = store.session(sessionKey("user-42", "chat-7"));
 * await chat.addMessage({ role: "user", content: "Where is my parcel?" });
 * ```
 */
export function sessionKey(...parts: readonly [string, ...string[]]): string {
  if (parts.length === 0) throw invalid("parts", "must have at least one part.");
  return requireId(parts.map(encoded).join(":"), "sessionKey", DEFAULT_LIMITS);
}

function encoded(part: unknown, index: number): string {
  const path = `parts[${index}]`;
  if (typeof part !== "string") throw invalid(path, `must be a string, not ${kindOf(part)}.`);
  if (!part.isWellFormed())
    throw invalid(path, "must be well-formed Unicode; it holds half of a surrogate pair.");
  return part === "" ? EMPTY : part.replaceAll("%", "%25").replaceAll(":", "%3A");
}
