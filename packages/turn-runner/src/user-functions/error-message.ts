import { type Json, jsonify } from "@sessions/protocol";

const MAX_CHARS = 8192;

/**
 * The message of whatever was thrown, cut at 8192 characters; the code or name of an error without a message. Never throws,
 * even if a field of the error does.
 */
export function errorMessage(error: unknown): string {
  const text = wholeMessage(error);
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}

function wholeMessage(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error);
    return String(error.message || ("code" in error ? error.code : error.name));
  } catch {
    return "An error that has no text.";
  }
}

/** The output of a tool that threw: the message of an error, any other value as JSON. */
export function toolErrorOutput(error: unknown): Json {
  return error instanceof Error ? errorMessage(error) : jsonify(error);
}
