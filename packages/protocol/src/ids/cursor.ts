import { decodeBase64Url, encodeBase64Url } from "../encoding/base64.js";
import { SessionError } from "../errors/session-error.js";
import type { Json } from "../json/json.js";

/** A value as opaque text that is safe in a URL: base64url of its JSON. */
export function encodeCursor(value: Json): string {
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}

/** The value of a cursor. Text that `encodeCursor` did not write is INVALID_ARGUMENT, with `path` in the message. */
export function decodeCursor(cursor: string, path: string): Json {
  try {
    // Callers without types may pass anything.
    const bytes = typeof cursor === "string" ? decodeBase64Url(cursor) : undefined;
    if (bytes === undefined) throw new TypeError("Not base64url.");
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    const message = `${path} is not a cursor: pass the cursor of an earlier result unchanged, or none to start anew.`;
    throw SessionError.of("INVALID_ARGUMENT", message, { path, cause });
  }
}
