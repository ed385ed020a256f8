import type { Change } from "@sessions/protocol";
import { DeliveredSessions } from "./delivered-sessions.js";
import { cursorOf } from "./feed-cursor.js";
import type { ObservedSession } from "./observed-session.js";

/** How far a watcher of the whole store has come: which sessions it has observed, and which of these were delivered. */
export class FeedPosition {
  readonly #observed = new DeliveredSessions();
  #delivered = new DeliveredSessions();

  /** A session is not as it was at the last look, or is gone. */
  exchange(before: ObservedSession | undefined, after: ObservedSession | undefined): void {
    if (before !== undefined) this.#observed.remove(before);
    if (after !== undefined) this.#observed.add(after);
  }

  /** This much was delivered before; if that is not known, all that was observed so far. */
  begin(delivered: DeliveredSessions | undefined): void {
    this.#delivered = delivered ?? this.#observed.copy();
  }

  /** Whether the session is of a group that has changed since it was delivered. */
  mayBeNew(session: ObservedSession): boolean {
    return !this.#delivered.hasSameGroup(this.#observed, DeliveredSessions.groupOf(session));
  }

  /**
   * The changes, each with a cursor. A group counts as delivered with the last of its changes: a watcher that leaves
   * before that gets all of the group again.
   */
  *changes(changed: readonly ObservedSession[]): Generator<Change> {
    const undelivered = countByGroup(changed);
    for (const session of changed) {
      const group = DeliveredSessions.groupOf(session);
      const left = (undelivered.get(group) ?? 1) - 1;
      undelivered.set(group, left);
      if (left === 0) this.#delivered.copyGroup(this.#observed, group);
      yield changeOf(session, cursorOf(this.#delivered));
    }
    this.#delivered = this.#observed.copy(); // sessions whose folders are gone are in no change
  }
}

/** A change as a watcher gets it. */
export function changeOf({ id: sessionId, revision, at, deleted }: ObservedSession, cursor: string): Change {
  return { sessionId, revision, at, ...(deleted ? { deleted } : {}), cursor };
}

function countByGroup(changed: readonly ObservedSession[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const session of changed) {
    const group = DeliveredSessions.groupOf(session);
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}
