import { SessionError } from "@sessions/protocol";
import type { MemoryData } from "./memory-data.js";

/** The cursor of a change: its number, and the data that it is a change of. */
export function cursorOf({ id }: MemoryData, change: number): string {
  return `${id}.${change}`;
}

/** The number of the last change that was seen. Of other data none was: all changes are new. */
export function readCursor(cursor: string, { id, clock }: MemoryData): number {
  const [, data, change] = /^([0-9a-f]{16})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (data !== undefined) return data === id && Number(change) <= clock.changes ? Number(change) : 0;
  throw SessionError.of("INVALID_ARGUMENT", "target.since is not the cursor of a change of this store.", {
    path: "target.since",
  });
}
