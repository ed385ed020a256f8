import type { Clock, MutationOptions, OperationInput } from "@sessions/protocol";
import { type Patience, savePatiently } from "./save-patiently.js";

/** How much may wait for a slow store before the runner has to, in checkpoints. */
const MOST_WAITING = 4;

/** Something that grows and is saved bit by bit. */
export interface Growing {
  /** How much of it no operation has told yet; 0 if nothing. */
  readonly pendingChars: number;
  /** Operations for what has come since the last time. */
  take(): readonly OperationInput[];
}

/** When, where and how a draft is saved. */
export interface CheckpointPlan {
  readonly everyMs: number;
  readonly everyChars: number;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly commit: (ops: readonly OperationInput[], options: MutationOptions) => Promise<unknown>;
  /** Told once, when saving has failed for good, and what could not be saved. */
  readonly onFailure: (error: unknown, ops: readonly OperationInput[]) => void;
}

/** Saves a growing draft by time and size. One checkpoint at a time: what comes meanwhile goes with the next. */
export class Checkpoints {
  readonly #draft: Growing;
  readonly #plan: CheckpointPlan;
  #saving: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #isDue = false;
  #isStopped = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(draft: Growing, plan: CheckpointPlan) {
    this.#draft = draft;
    this.#plan = plan;
  }

  /** Called when text was added. A promise if the runner must wait for the store. */
  grown(): Promise<void> | undefined {
    const { everyMs, everyChars, clock } = this.#plan;
    const waiting = this.#draft.pendingChars;
    if (waiting === 0 || this.#isStopped || this.#failure !== undefined) return undefined;
    if (waiting >= everyChars && this.#saving === undefined) this.#save();
    else this.#cancelTimer ??= clock.after(everyMs, () => this.#due());
    return waiting >= MOST_WAITING * everyChars ? this.#saving : undefined;
  }

  /** Saves all that has come, now. Throws what went wrong. */
  async flush(): Promise<void> {
    // When one is done the next may be under way already.
    while (this.#saving !== undefined) await this.#saving;
    this.#throwFailure();
    this.#save();
    await this.#saving;
    this.#throwFailure();
  }

  /** No further checkpoints. Resolves when none is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#clearTimer();
    await this.#saving;
  }

  #due(): void {
    this.#cancelTimer = undefined;
    // A checkpoint under way looks again when it is done.
    if (this.#saving === undefined) this.#save();
    else this.#isDue = true;
  }

  #save(): void {
    this.#clearTimer();
    // What is left when it stops goes with the commit that ends the turn.
    if (this.#isStopped || this.#failure !== undefined) return;
    const ops = this.#draft.take();
    if (ops.length > 0) this.#saving = this.#commit(ops);
  }

  /** Never rejects: a failure is kept, and told to the one who can stop the turn. */
  async #commit(ops: readonly OperationInput[]): Promise<void> {
    const { patience, commit, onFailure } = this.#plan;
    try {
      await savePatiently(patience, (options) => commit(ops, options));
    } catch (error) {
      this.#failure = { error };
      onFailure(error, ops);
    }
    this.#saving = undefined;
    if (this.#isDue) this.#save();
    else void this.grown();
  }

  #clearTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isDue = false;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
