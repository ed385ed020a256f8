import { decodeCursor, type Json } from "@sessions/protocol/backend";

/** A store's own cursor, with the time of its change. What was not wrapped is left for the store to refuse. */
export interface WrappedCursor {
  readonly at: number;
  readonly cursor: string;
}

/** Takes a cursor apart that was made by `encodeCursor({ at, cursor })`. */
export function wrappedCursor(text: string): WrappedCursor {
  const value: Json = decodeCursor(text, "target.since");
  if (typeof value !== "object" || value === null || !("at" in value && "cursor" in value))
    return { at: 0, cursor: text };
  return { at: Number(value["at"]), cursor: String(value["cursor"]) };
}
