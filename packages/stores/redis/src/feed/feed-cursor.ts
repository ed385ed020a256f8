import { decodeCursor, encodeCursor, SessionError } from "@sessions/protocol/backend";

/** How far the changes of a store are known: the position of the last one of each partition. */
export interface FeedPosition {
  /** The id of the store. Another one has other positions. */
  readonly store: string;
  readonly positions: readonly number[];
}

export function feedCursor({ store, positions }: FeedPosition): string {
  return encodeCursor({ store, positions });
}

export function readFeedCursor(cursor: string): FeedPosition {
  const value: unknown = decodeCursor(cursor, "target.since");
  if (isPosition(value)) return value;
  throw SessionError.of("INVALID_ARGUMENT", "target.since is not the cursor of a change of this store.", {
    path: "target.since",
  });
}

function isPosition(value: unknown): value is FeedPosition {
  if (typeof value !== "object" || value === null || !("store" in value && "positions" in value))
    return false;
  const { store, positions } = value;
  return typeof store === "string" && Array.isArray(positions) && positions.every(Number.isSafeInteger);
}
