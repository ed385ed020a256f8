import type { MutationOptions, OperationInput } from "@sessions/protocol";
import { type RetryPolicy, retry } from "../saving/retry.js";
import type { CheckpointIntervals } from "../settings/checkpoint-options.js";

/** The runner waits for the store once this many checkpoints are pending. */
const MAX_PENDING_CHECKPOINTS = 4;

/** Something that grows and is saved step by step. */
export interface CheckpointSource {
  /** How many characters no operation holds yet. */
  readonly pendingChars: number;
  /** Operations for what has come since the last call. */
  take(): readonly OperationInput[];
}

/** When, where and how a draft is saved. */
export interface CheckpointSettings extends CheckpointIntervals {
  readonly policy: RetryPolicy;
  readonly commit: (ops: readonly OperationInput[], options: MutationOptions) => Promise<unknown>;
  /** Called once, when retries were in vain, with the operations that were not saved. */
  readonly onFailure: (error: unknown, ops: readonly OperationInput[]) => void;
}

/** Saves a growing draft by time and size. One commit at a time: what comes meanwhile goes with the next. */
export class Checkpoints {
  readonly #source: CheckpointSource;
  readonly #settings: CheckpointSettings;
  #saving: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #isDue = false;
  #isStopped = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(source: CheckpointSource, settings: CheckpointSettings) {
    this.#source = source;
    this.#settings = settings;
  }

  /** Called when the draft has grown. Returns a promise if the caller must wait for the store. */
  grown(): Promise<void> | undefined {
    const { everyMs, everyChars, policy } = this.#settings;
    const pending = this.#source.pendingChars;
    if (pending === 0 || this.#isStopped || this.#failure !== undefined) return undefined;
    if (pending >= everyChars && this.#saving === undefined) this.#save();
    else this.#cancelTimer ??= policy.clock.after(everyMs, () => this.#due());
    return pending >= MAX_PENDING_CHECKPOINTS * everyChars ? this.#saving : undefined;
  }

  /** Saves everything now. Throws if saving has failed. */
  async flush(): Promise<void> {
    // The next checkpoint may have begun by the time that this one is saved.
    while (this.#saving !== undefined) await this.#saving;
    this.#throwFailure();
    this.#save();
    await this.#saving;
    this.#throwFailure();
  }

  /** Ends the checkpoints. Resolves when none is being saved. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#clearTimer();
    await this.#saving;
  }

  #due(): void {
    this.#cancelTimer = undefined;
    // A checkpoint that is being saved looks at `#isDue` when it is done.
    if (this.#saving === undefined) this.#save();
    else this.#isDue = true;
  }

  #save(): void {
    this.#clearTimer();
    // After `stop`, the rest goes with the commit that ends the turn.
    if (this.#isStopped || this.#failure !== undefined) return;
    const ops = this.#source.take();
    if (ops.length > 0) this.#saving = this.#commit(ops);
  }

  /** Never rejects: `flush` throws the failure, and `onFailure` may stop the turn. */
  async #commit(ops: readonly OperationInput[]): Promise<void> {
    const { policy, commit, onFailure } = this.#settings;
    try {
      await retry(policy, (options) => commit(ops, options));
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
