import type { MutationResult } from "../api/mutation.js";
import type { Change } from "../backend/change.js";
import type { Clock } from "../platform/clock.js";
import { pause } from "../platform/pause.js";

/** A feed may deliver a change before the commit that made it is answered. The answer is awaited for this long. */
const MAX_ANSWER_WAIT_MS = 20;

/**
 * Distinguishes the changes of a turn's own commits from foreign ones. Every commit raises the revision, and changes
 * are coalesced. So a change is the turn's own only if all revisions before it are its own or were read.
 */
export class OwnChanges {
  readonly #clock: Clock;
  /** Every revision up to this one is of an own commit or was read. */
  #revision: number;
  /** Revisions of own commits after a gap. */
  readonly #later = new Set<number>();
  readonly #unanswered = new Set<Promise<unknown>>();

  /** `revision` is of the commit that began the turn. */
  constructor(clock: Clock, revision: number) {
    this.#clock = clock;
    this.#revision = revision;
  }

  /** The feed has to start after this revision. */
  get revision(): number {
    return this.#revision;
  }

  /** Awaits an own commit, which must not change the turn itself. */
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

  /** Whether only own commits were made up to this change. If not, the session must be read. */
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
