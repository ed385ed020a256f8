import type { DamagedSession } from "../sessions/all-sessions.js";
import type { Synced } from "./sync-session.js";

/** What became of all sessions. */
export interface Outcome {
  readonly copied: number;
  readonly updated: number;
  readonly same: number;
  readonly gone: number;
  /** Left as they are in the target. */
  readonly conflicts: readonly DamagedSession[];
  /** Not copied, because they cannot be read. */
  readonly damaged: readonly DamagedSession[];
}

/** Counts what became of each session. Only problems are kept one by one. */
export class Tally {
  readonly #counts = { copied: 0, updated: 0, same: 0, gone: 0 };
  readonly #conflicts = new Map<string, DamagedSession>();
  readonly #damaged = new Map<string, DamagedSession>();

  add(synced: Synced): void {
    const { sessionId, status } = synced;
    if (status === "conflict")
      this.#conflicts.set(sessionId, { sessionId, place: "the target", problem: synced.problem });
    else if (status === "damaged")
      this.addDamaged({ sessionId, place: "the source", problem: synced.problem });
    else this.#counts[status]++;
  }

  addDamaged(damaged: DamagedSession): void {
    this.#damaged.set(damaged.sessionId ?? damaged.place, damaged);
  }

  /** They are looked for again. */
  forgetConflicts(): void {
    this.#conflicts.clear();
  }

  get outcome(): Outcome {
    return {
      ...this.#counts,
      conflicts: [...this.#conflicts.values()],
      damaged: [...this.#damaged.values()],
    };
  }
}
