import { tooLarge } from "../arguments/invalid-argument.js";
import type { Limits } from "../arguments/limits.js";
import { requireString } from "../arguments/require-value.js";
import { utf8Length } from "../encoding/utf8-length.js";

/** A text and its length in UTF-8. */
interface MessageText {
  readonly text: string;
  readonly bytes: number;
}

/** Requires a text that fits into one message. */
export function requireMessageText(value: unknown, path: string, limits: Limits): MessageText {
  const text = requireString(value, path);
  const bytes = utf8Length(text);
  if (bytes > limits.messageBytes) throw tooLarge(path, bytes, limits.messageBytes);
  return { text, bytes };
}
