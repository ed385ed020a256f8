import type { MutationResult } from "../api/mutation.js";
import type { Change } from "../backend/change.js";
import type { Clock } from "../platform/clock.js";
import { pause } from "../platform/pause.js";

/** A feed may deliver a change before the commit that made it is answered. This is how long that answer is waited for. */
const MAX_ANSWER_WAIT_MS = 20;

/**
 * Tells the changes that a turn's own commits made from those of others. Every commit raises the revision by one, and
 * changes are coalesced. So a change is the turn's own only if all revisions before it are accounted for.
 */
export class OwnChanges {
  readonly #clock: Clock;
  /** Every revision up to this one is an own commit's or was read. */
  #revision: number;
  /** Own commits after a revision that is not accounted for. */
  readonly #later = new Set<number>();
  readonly #unanswered = new Set<Promise<unknown>>();

  /** `revision` is that of the commit which began the turn. */
  constructor(clock: Clock, revision: number) {
    this.#clock = clock;
    this.#revision = revision;
  }

  /** Where to watch from: no later change is missed. */
  get revision(): number {
    return this.#revision;
  }

  /** Waits for a commit of the turn, which leaves the turn as it was. */
  async track(commit: Promise<MutationResult>): Promise<MutationResult> {
    this.#unanswered.add(commit);
    try {
      const result = await commit;
      if (!result.duplicate) this.#later.add(result.revision);
      this.#advance();
      return result;
    } finally {
      this.#unanswered.delete(commit);
    }
  }

  /** Call this after each read, with the revision that was read. */
  read(revision: number): void {
    this.#revision = revision;
    for (const later of this.#later) if (later <= revision) this.#later.delete(later);
    this.#advance();
  }

  /** Whether only own commits were made up to this change. If not, the session has to be read. */
  async include({ revision, deleted }: Change): Promise<boolean> {
    if (deleted === true) return false;
    if (revision > this.#revision && this.#unanswered.size > 0)
      await pause(this.#clock, MAX_ANSWER_WAIT_MS, undefined, this.#answers());
    return revision <= this.#revision;
  }

  async #answers(): Promise<void> {
    await Promise.allSettled(this.#unanswered);
  }

  #advance(): void {
    while (this.#later.delete(this.#revision + 1)) this.#revision++;
  }
}
