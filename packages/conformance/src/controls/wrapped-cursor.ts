import { decodeCursor, type Json } from "@sessions/protocol/backend";

/** A store's cursor with the time of its change. */
export interface WrappedCursor {
  readonly at: number;
  readonly cursor: string;
}

/** Decodes a cursor that `encodeCursor({ at, cursor })` made. Any other is returned as it is, for the store to refuse. */
export function wrappedCursor(text: string): WrappedCursor {
  const value: Json = decodeCursor(text, "target.since");
  if (typeof value !== "object" || value === null || !("at" in value && "cursor" in value))
    return { at: 0, cursor: text };
  return { at: Number(value["at"]), cursor: String(value["cursor"]) };
}
