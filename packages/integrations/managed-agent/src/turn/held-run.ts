import {
  type Clock,
  combinedTurnError,
  count,
  type MutationResult,
  type OperationInput,
  type SessionStore,
  type Turn,
} from "@sessions/protocol/integration";
import type { AgentEvent } from "../agent-event.js";
import { invalid, isRecord } from "../argument.js";
import type { Warning } from "../options.js";
import type { TurnResult } from "../turn-result.js";
import { AbortRace } from "./abort-race.js";
import { Checkpoints } from "./checkpoints.js";
import { Draft } from "./draft.js";
import { endFailed } from "./failed-end.js";
import { ignoreRejection } from "./ignore-rejection.js";
import { isHeld } from "./interruption.js";
import { notify } from "./notify.js";
import { type Patience, savePatiently } from "./save-patiently.js";
import { isRefusal } from "./save-what-fits.js";
import { savedResult } from "./saved-result.js";
import type { Emit } from "./turn-request.js";

/** How a turn ends, and what it has added by then. */
export interface TurnEnd {
  readonly outcome: "completed" | "failed" | "interrupted";
  /** The messages of the answer, in order. */
  readonly messageIds: readonly string[];
}

/** What a turn that was begun comes to. */
export interface HeldRunPlan {
  readonly store: SessionStore;
  readonly turn: Turn;
  readonly checkpoint: { readonly everyMs: number; readonly everyChars: number };
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly warn: (warning: Warning) => void;
  /**
   * Reads what it needs and begins to answer. It may write by the turn; what it yields is written for it. Nobody waits for it
   * once the turn is stopped.
   */
  readonly answer: (signal: AbortSignal) => Promise<AsyncIterable<AgentEvent>>;
  /** What else belongs into the commit that ends the turn. */
  readonly ending?: (end: TurnEnd) => readonly OperationInput[];
  /** Aborts for whichever reason to stop comes first. */
  readonly stop: AbortController;
}

/** A turn that holds its session: has it answered, saves what is told, and ends the turn, always. */
export class HeldRun {
  readonly #plan: HeldRunPlan;
  readonly #turn: Turn;
  readonly #stop: AbortController;
  readonly #draft: Draft;
  readonly #checkpoints: Checkpoints;
  /** What the draft has given and the store has not taken. */
  #unsaved: readonly OperationInput[] = [];
  #saveFailure: { readonly error: unknown } | undefined;

  constructor(plan: HeldRunPlan) {
    const { turn, stop, newId, checkpoint, clock } = plan;
    this.#plan = plan;
    this.#turn = turn;
    this.#stop = stop;
    this.#draft = new Draft(turn.turnId, newId);
    this.#checkpoints = new Checkpoints(this.#draft, {
      ...checkpoint,
      clock,
      patience: this.#patience(),
      commit: (ops, options) => turn.commit(ops, options),
      onFailure: (error, ops) => this.#saveFailed(error, ops),
    });
  }

  async run(emit: Emit): Promise<TurnResult> {
    const lost = (): void => this.#stop.abort(this.#turn.signal.reason);
    if (this.#turn.signal.aborted) lost();
    this.#turn.signal.addEventListener("abort", lost, { once: true });
    let saved: MutationResult;
    try {
      await this.#answer(emit);
      saved = await this.#complete();
    } catch (error) {
      return await this.#fail(error);
    } finally {
      this.#turn.signal.removeEventListener("abort", lost);
    }
    return savedResult(
      { ...this.#plan, messageIds: this.#draft.messageIds, patience: this.#patience() },
      saved,
    );
  }

  async #answer(emit: Emit): Promise<void> {
    const race = new AbortRace(this.#stop.signal);
    try {
      this.#stop.signal.throwIfAborted();
      // What a user's functions do in there may never come back.
      const answer = await race.wait(this.#plan.answer(this.#stop.signal));
      await this.#takeAll(iteratorOf(answer), race, emit);
    } finally {
      race.leave();
    }
  }

  async #takeAll(events: AsyncIterator<AgentEvent>, race: AbortRace, emit: Emit): Promise<void> {
    try {
      await this.#take(events, race, emit);
    } catch (error) {
      // Not waited for: a runner that does not listen to its signal may never come back.
      notify(
        () => events.return?.(),
        (failure) => this.#warn("The runner failed while it was stopped.", failure),
      );
      throw error;
    }
  }

  // Promises are waited for only where there is one: most events are a few characters, and there are thousands.
  async #take(events: AsyncIterator<AgentEvent>, race: AbortRace, emit: Emit): Promise<void> {
    for (;;) {
      const next = await race.wait(events.next());
      if (!isRecord(next)) throw invalid("the runner's iterator", "must give { done, value }.");
      if (next.done === true) return;
      this.#draft.add(next.value);
      const saved = this.#kept(next.value);
      if (saved !== undefined) await race.wait(saved);
      const room = emit(next.value);
      if (room !== undefined) await race.wait(room);
    }
  }

  /** What others must see at once is saved at once: a tool may act on the world as soon as it is called. */
  #kept({ type }: AgentEvent): Promise<void> | undefined {
    const isStep = type === "tool-call" || type === "tool-result" || type === "message";
    return isStep ? this.#checkpoints.flush() : this.#checkpoints.grown();
  }

  async #complete(): Promise<MutationResult> {
    await this.#checkpoints.stop();
    this.#stop.signal.throwIfAborted();
    const answer = this.#draft.finish();
    this.#unsaved = answer;
    const usage = count({ ...this.#draft.counters, turns: 1 });
    const ops = [...answer, ...this.#draft.stateChange(), usage, ...this.#ending("completed")];
    try {
      return await savePatiently(this.#patience(), (options) => this.#turn.complete(ops, options));
    } catch (error) {
      this.#saveFailed(error, answer);
      throw error;
    }
  }

  /** Ends the turn with what there is of the answer. The caller gets the error that began it. */
  async #fail(error: unknown): Promise<never> {
    await this.#checkpoints.stop();
    // Somebody else has the session now: not a word more.
    if (!isHeld(this.#turn.signal)) throw this.#turn.signal.reason;
    // A runner that was told to stop may say so in its own words: what counts is who told it.
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
    const end = {
      ...this.#plan,
      patience: this.#patience(),
      cause,
      outcome,
      counters: this.#draft.counters,
      ending: this.#endingOfFailure(outcome),
    } as const;
    // What could not be saved may be in the store or not, so it is not sent again under another id.
    const isUncertain = this.#saveFailure !== undefined && !isRefusal(this.#saveFailure.error);
    if (isUncertain) return endFailed({ ...end, patience: this.#patience(LAST_PATIENCE) });
    return endFailed({ ...end, rest: [...this.#unsaved, ...this.#draft.abandon()] });
  }

  #ending(outcome: TurnEnd["outcome"]): readonly OperationInput[] {
    return this.#plan.ending?.({ outcome, messageIds: this.#draft.messageIds }) ?? [];
  }

  /** What an integration adds must not keep the turn from ending. */
  #endingOfFailure(outcome: TurnEnd["outcome"]): readonly OperationInput[] {
    try {
      return this.#ending(outcome);
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

  /** Half of the lease: when it has been in vain there is still time to end the turn. */
  #patience(share = 1 / 2): Patience {
    const { clock, newId, ttlMs } = this.#plan;
    return { clock, newId, deadlineMs: ttlMs * share, isOver: () => !isHeld(this.#turn.signal) };
  }

  #warn(message: string, error: unknown): void {
    const { sessionId, turnId } = this.#turn;
    notify(() => this.#plan.warn({ message, sessionId, turnId, error }));
  }
}

/** What is left of the patience of a store that has already failed for half of the lease, as a share of it. */
const LAST_PATIENCE = 1 / 8;

function iteratorOf(answer: unknown): AsyncIterator<AgentEvent> {
  const events: unknown = isIterable(answer) ? answer[Symbol.asyncIterator]() : undefined;
  if (isIterator(events)) return events;
  // Nobody waits for it: if it is a promise, its failure is not to be reported as unhandled.
  ignoreRejection(events);
  throw invalid("the runner", "must return an async iterable of events, such as an async generator.");
}

function isIterable(value: unknown): value is { readonly [Symbol.asyncIterator]: () => unknown } {
  return isRecord(value) && typeof Reflect.get(value, Symbol.asyncIterator) === "function";
}

function isIterator(value: unknown): value is AsyncIterator<AgentEvent> {
  return isRecord(value) && typeof value["next"] === "function";
}
