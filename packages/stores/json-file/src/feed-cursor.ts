import { decodeCursor, encodeCursor, SessionError } from "@sessions/protocol";
import type { Sighting } from "./sighting.js";

/** A point in the feed of a whole store. */
interface FeedCursor {
  readonly at: number;
  readonly id: string;
  readonly revision: number;
}

/**
 * A commit has the time at which its writer began it, so one may come to light after another with a later time. Within
 * this long a cursor cannot tell what was told, and it is told again rather than lost.
 */
const OVERLAP_MS = 60_000;

/** The cursor of a change. */
export function cursorOf({ at, id, revision }: Sighting): string {
  return encodeCursor({ at, id, revision });
}

/** Whether a watcher that has come to `cursor` was told of what is seen. */
export function toldBefore(cursor: string): (seen: Sighting) => boolean {
  const { at, id, revision } = readCursor(cursor);
  return (seen) => seen.at < at - OVERLAP_MS || (seen.id === id && seen.revision <= revision);
}

function readCursor(cursor: string): FeedCursor {
  const value: unknown = decodeCursor(cursor, "target.since");
  if (isFeedCursor(value)) return value;
  throw SessionError.of("INVALID_ARGUMENT", "target.since is not the cursor of a change of this store.", {
    path: "target.since",
  });
}

function isFeedCursor(value: unknown): value is FeedCursor {
  if (typeof value !== "object" || value === null) return false;
  if (!("at" in value && "id" in value && "revision" in value)) return false;
  return typeof value.at === "number" && typeof value.id === "string" && typeof value.revision === "number";
}
