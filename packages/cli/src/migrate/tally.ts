import type { DamagedSession } from "../sessions/all-sessions.js";
import type { Synced } from "./sync-session.js";

/** The results of all sessions. */
export interface Outcome {
  /** The sum of the next four numbers, of `conflicts` and of `damaged`. */
  readonly sessions: number;
  readonly copied: number;
  readonly updated: number;
  readonly same: number;
  readonly gone: number;
  /** The changes that were copied after all sessions. */
  readonly followed: number;
  /** Sessions of the target that were not overwritten. */
  readonly conflicts: readonly DamagedSession[];
  /** Sessions that were not copied, because they cannot be read. */
  readonly damaged: readonly DamagedSession[];
}

/** Counts the results. Only problems are kept for each session. */
export class Tally {
  readonly #counts = { copied: 0, updated: 0, same: 0, gone: 0 };
  readonly #conflicts = new Map<string, DamagedSession>();
  readonly #damaged = new Map<string, DamagedSession>();
  #followed = 0;
  #isFollowing = false;

  add(synced: Synced): void {
    const { sessionId, status } = synced;
    if (status === "damaged") this.addDamaged({ sessionId, place: "the source", problem: synced.problem });
    else if (status === "conflict")
      this.#conflicts.set(sessionId, { sessionId, place: "the target", problem: synced.problem });
    else if (!this.#isFollowing) this.#counts[status]++;
    else if (status !== "same") this.#followed++;
  }

  addDamaged(damaged: DamagedSession): void {
    this.#damaged.set(damaged.sessionId ?? damaged.place, damaged);
  }

  /** All sessions are copied. What comes now are changes. */
  beginFollowing(): void {
    this.#isFollowing = true;
  }

  /** Clears the conflicts before the sessions are compared again. */
  forgetConflicts(): void {
    this.#conflicts.clear();
  }

  get outcome(): Outcome {
    const { copied, updated, same, gone } = this.#counts;
    return {
      sessions: copied + updated + same + gone + this.#conflicts.size + this.#damaged.size,
      ...this.#counts,
      followed: this.#followed,
      conflicts: [...this.#conflicts.values()],
      damaged: [...this.#damaged.values()],
    };
  }
}
