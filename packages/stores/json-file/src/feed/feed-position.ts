import type { Change } from "@sessions/protocol";
import { DeliveredSessions } from "./delivered-sessions.js";
import { cursorOf } from "./feed-cursor.js";
import type { Sighting } from "./observed-session.js";

/** How far a watcher of the whole store has come: the sessions that it has seen, and which of them it was told. */
export class FeedPosition {
  readonly #seen = new DeliveredSessions();
  #told = new DeliveredSessions();

  /** A session was seen in another state than before, or is gone. */
  exchange(before: Sighting | undefined, after: Sighting | undefined): void {
    if (before !== undefined) this.#seen.remove(before);
    if (after !== undefined) this.#seen.add(after);
  }

  /** The watcher was told this much before; all that was seen so far, if it does not say. */
  begin(told: DeliveredSessions | undefined): void {
    this.#told = told ?? this.#seen.copy();
  }

  /** Whether the session is of a group that has changed since it was told. */
  mayBeNew(seen: Sighting): boolean {
    return !this.#told.hasSameGroup(this.#seen, DeliveredSessions.groupOf(seen));
  }

  /**
   * The changes, each with a cursor. A group counts as told with the last of its changes: a watcher that leaves before
   * that is told all of the group again.
   */
  *changes(changed: readonly Sighting[]): Generator<Change> {
    const untold = countByGroup(changed);
    for (const seen of changed) {
      const group = DeliveredSessions.groupOf(seen);
      const left = (untold.get(group) ?? 1) - 1;
      untold.set(group, left);
      if (left === 0) this.#told.copyGroup(this.#seen, group);
      yield changeOf(seen, cursorOf(this.#told));
    }
    this.#told = this.#seen.copy(); // sessions whose folders are gone are in no change
  }
}

/** A change as a watcher is told it. */
export function changeOf({ id: sessionId, revision, at, deleted }: Sighting, cursor: string): Change {
  return { sessionId, revision, at, ...(deleted ? { deleted } : {}), cursor };
}

function countByGroup(changed: readonly Sighting[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const seen of changed) {
    const group = DeliveredSessions.groupOf(seen);
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}
