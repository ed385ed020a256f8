import {
  type Clock,
  combinedTurnError,
  count,
  type MutationResult,
  type OperationInput,
  type SessionStore,
  type Turn,
} from "@sessions/protocol/integration";
import type { AgentEvent } from "../agent/agent-event.js";
import type { Warning } from "../agent/warning.js";
import { Checkpoints } from "../draft/checkpoints.js";
import { Draft } from "../draft/draft.js";
import { isRefusal } from "../saving/is-refusal.js";
import { leaseRetryPolicy } from "../saving/lease-retry-policy.js";
import { type RetryPolicy, retry } from "../saving/retry.js";
import type { CheckpointIntervals } from "../settings/checkpoint-options.js";
import { forwardAbort } from "../user-functions/forward-abort.js";
import { notify } from "../user-functions/notify.js";
import { raceAbort } from "../user-functions/race-abort.js";
import { untilAborted } from "../user-functions/until-aborted.js";
import { endFailedTurn } from "./end-failed-turn.js";
import { storedResult } from "./stored-result.js";
import { isLost, lossSignal } from "./turn-loss.js";
import type { TurnResult } from "./turn-result.js";

/** Receives an event of the answer. Returns a promise if it needs time. */
export type Emit = (event: AgentEvent) => Promise<void> | undefined;

/** How a turn ends. */
export interface TurnEnd {
  readonly outcome: "completed" | "failed" | "interrupted";
  /** The messages of the answer, in order. */
  readonly messageIds: readonly string[];
}

/** A turn that has begun, and how it is answered. */
export interface TurnRunnerOptions {
  readonly store: SessionStore;
  readonly turn: Turn;
  /** The lease of the turn. Commits are retried for half of it. */
  readonly ttlMs: number;
  readonly checkpoint: CheckpointIntervals;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly warn: (warning: Warning) => void;
  /**
   * Prepares the conversation and begins to answer. It may write through the turn; the events that it yields are written for it.
   * Nobody waits for it once the signal has aborted.
   */
  readonly answer: (signal: AbortSignal) => Promise<AsyncIterable<AgentEvent>>;
  /** Further operations for the commit that ends the turn. */
  readonly endOperations?: (end: TurnEnd) => readonly OperationInput[];
  /** Stops the turn, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs a turn that has begun: lets it be answered, saves the answer while it grows, and always ends the turn. */
export class TurnRunner {
  readonly #options: TurnRunnerOptions;
  readonly #turn: Turn;
  /** Aborts for the first reason to stop: the caller, the loss of the turn, or a failure to save. */
  readonly #stop = new AbortController();
  readonly #loss: AbortSignal;
  readonly #draft: Draft;
  readonly #checkpoints: Checkpoints;
  /** Operations that the draft has handed out and the store has not taken. */
  #unsaved: readonly OperationInput[] = [];
  #saveFailure: { readonly error: unknown } | undefined;

  constructor(options: TurnRunnerOptions) {
    const { turn, newId, checkpoint } = options;
    this.#options = options;
    this.#turn = turn;
    this.#loss = lossSignal(turn);
    this.#draft = new Draft(turn.turnId, newId);
    this.#checkpoints = new Checkpoints(this.#draft, {
      ...checkpoint,
      policy: this.#policy(),
      commit: (ops, commit) => turn.commit(ops, commit),
      onFailure: (error, ops) => this.#saveFailed(error, ops),
    });
  }

  async run(emit: Emit): Promise<TurnResult> {
    const unlinkTurn = forwardAbort(this.#turn.signal, this.#stop);
    const unlinkCaller = forwardAbort(this.#options.signal, this.#stop);
    let commit: MutationResult;
    try {
      await this.#answer(emit);
      commit = await this.#complete();
    } catch (error) {
      return await this.#fail(error);
    } finally {
      unlinkTurn();
      unlinkCaller();
    }
    const { messageIds } = this.#draft;
    return storedResult({ ...this.#options, messageIds, policy: this.#policy() }, commit);
  }

  async #answer(emit: Emit): Promise<void> {
    const { signal } = this.#stop;
    const events = await raceAbort(signal, () => this.#options.answer(signal));
    const onReturnFailure = (error: unknown): void =>
      this.#warn("The runner failed while it was stopped.", error);
    for await (const event of untilAborted(signal, events, { source: "the runner", onReturnFailure })) {
      this.#draft.add(event);
      await this.#unlessStopped(this.#save(event));
      await this.#unlessStopped(emit(event));
    }
  }

  /** Awaits only where there is a promise: there are thousands of events, and most need none. */
  #unlessStopped(work: Promise<void> | undefined): Promise<void> | undefined {
    return work === undefined ? undefined : raceAbort(this.#stop.signal, () => work);
  }

  /** Tool calls, results and whole messages are saved at once: a tool may act as soon as it is called. */
  #save({ type }: AgentEvent): Promise<void> | undefined {
    const isStep = type === "tool-call" || type === "tool-result" || type === "message";
    return isStep ? this.#checkpoints.flush() : this.#checkpoints.grown();
  }

  async #complete(): Promise<MutationResult> {
    await this.#checkpoints.stop();
    this.#stop.signal.throwIfAborted();
    const answer = this.#draft.finish();
    this.#unsaved = answer;
    const usage = count({ ...this.#draft.counters, turns: 1 });
    const ops = [...answer, ...this.#draft.stateChange(), usage, ...this.#endOperations("completed")];
    try {
      return await retry(this.#policy(), (options) => this.#turn.complete(ops, options));
    } catch (error) {
      this.#saveFailed(error, answer);
      throw error;
    }
  }

  /** Ends the turn with the answer so far. The caller gets the first error. */
  async #fail(error: unknown): Promise<never> {
    await this.#checkpoints.stop();
    // Another turn has the session: this one must not write any more.
    if (isLost(this.#turn.signal)) throw this.#turn.signal.reason;
    // A runner that is stopped may throw another error. The abort reason counts.
    const stopped = this.#stop.signal.aborted ? { error: this.#stop.signal.reason } : { error };
    const { error: cause } = this.#saveFailure ?? stopped;
    try {
      await this.#end(cause);
    } catch (unended) {
      throw combinedTurnError(cause, unended);
    }
    throw cause;
  }

  #end(cause: unknown): Promise<void> {
    const isStopped = this.#stop.signal.aborted && this.#saveFailure === undefined;
    const outcome = isStopped ? "interrupted" : "failed";
    const { store } = this.#options;
    const { counters } = this.#draft;
    const endOperations = this.#failedEndOperations(outcome);
    const end = { store, turn: this.#turn, cause, outcome, counters, endOperations } as const;
    // A commit that failed without a refusal may be stored or not, so its operations are not sent under another id.
    const isUncertain = this.#saveFailure !== undefined && !isRefusal(this.#saveFailure.error);
    if (isUncertain) {
      const deadlineMs = this.#options.ttlMs * LAST_RETRY_SHARE;
      return endFailedTurn({ ...end, policy: { ...this.#policy(), deadlineMs } });
    }
    const rest = [...this.#unsaved, ...this.#draft.abandon()];
    return endFailedTurn({ ...end, policy: this.#policy(), rest });
  }

  #endOperations(outcome: TurnEnd["outcome"]): readonly OperationInput[] {
    return this.#options.endOperations?.({ outcome, messageIds: this.#draft.messageIds }) ?? [];
  }

  /** An error in them must not keep a failed turn from ending. */
  #failedEndOperations(outcome: TurnEnd["outcome"]): readonly OperationInput[] {
    try {
      return this.#endOperations(outcome);
    } catch (error) {
      this.#warn("What belongs to the end of the turn could not be told.", error);
      return [];
    }
  }

  #saveFailed(error: unknown, ops: readonly OperationInput[]): void {
    this.#saveFailure = { error };
    this.#unsaved = ops;
    this.#stop.abort(error);
  }

  #policy(): RetryPolicy {
    return leaseRetryPolicy(this.#options, this.#loss);
  }

  #warn(message: string, error: unknown): void {
    const { sessionId, turnId } = this.#turn;
    notify(() => this.#options.warn({ message, sessionId, turnId, error }));
  }
}

/** How long the end of a turn is retried after saving has failed for half of the lease, as a share of the lease. */
const LAST_RETRY_SHARE = 1 / 8;
