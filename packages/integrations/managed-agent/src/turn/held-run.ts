import {
  append,
  type Clock,
  count,
  type MutationResult,
  type OperationInput,
  type SessionStore,
  type Turn,
  unendedFailure,
} from "@sessions/protocol";
import type { AgentEvent } from "../agent-event.js";
import type { Warning } from "../options.js";
import type { TurnResult } from "../turn-result.js";
import { AbortRace } from "./abort-race.js";
import { Checkpoints } from "./checkpoints.js";
import { Draft } from "./draft.js";
import { isHeld } from "./interruption.js";
import { resultOf } from "./result-of.js";
import { type Patience, savePatiently } from "./save-patiently.js";
import { withAnswers } from "./tidied.js";
import { turnMessages } from "./turn-messages.js";
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
  /** Reads what it needs and begins to answer. It may write by the turn; what it yields is written for it. */
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
  #isUnsaved = false;

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
      onFailure: (error) => this.#saveFailed(error),
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
    return this.#result(saved.revision);
  }

  async #answer(emit: Emit): Promise<void> {
    const answer = await this.#plan.answer(this.#stop.signal);
    const events = answer[Symbol.asyncIterator]();
    const race = new AbortRace(this.#stop.signal);
    try {
      await this.#take(events, race, emit);
    } catch (error) {
      // Not waited for: a runner that does not listen to its signal may never come back.
      Promise.resolve(events.return?.()).catch((failure: unknown) => this.#warnOfRunner(failure));
      throw error;
    } finally {
      race.leave();
    }
  }

  // Promises are waited for only where there is one: most events are a few characters, and there are thousands.
  async #take(events: AsyncIterator<AgentEvent>, race: AbortRace, emit: Emit): Promise<void> {
    for (;;) {
      const { done, value: event } = await race.wait(events.next());
      if (done === true) return;
      this.#draft.add(event);
      const saved = this.#kept(event);
      if (saved !== undefined) await race.wait(saved);
      const room = emit(event);
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
    const ops = [...this.#draft.complete(), ...this.#ending("completed")];
    try {
      return await savePatiently(this.#patience(), (options) => this.#turn.complete(ops, options));
    } catch (error) {
      this.#saveFailed(error);
      throw error;
    }
  }

  async #result(revision: number): Promise<TurnResult> {
    const { sessionId, turnId } = this.#turn;
    const messages = await this.#plan.store.getMessages(sessionId, this.#draft.messageIds);
    return resultOf({ sessionId, turnId, duplicate: false, revision }, messages);
  }

  /** Ends the turn with what there is of the answer. The caller gets the error that began it. */
  async #fail(error: unknown): Promise<never> {
    await this.#checkpoints.stop();
    // Somebody else has the session now: not a word more.
    if (!isHeld(this.#turn.signal)) throw this.#turn.signal.reason;
    // A runner that was told to stop may say so in its own words: what counts is who told it.
    const cause: unknown = this.#stop.signal.aborted ? this.#stop.signal.reason : error;
    try {
      await (this.#isUnsaved ? this.#endUnsaved(cause) : this.#endSaved(cause));
    } catch (unended) {
      throw unendedFailure(cause, unended);
    }
    throw cause;
  }

  #endSaved(cause: unknown): Promise<MutationResult> {
    const outcome = this.#stop.signal.aborted ? "interrupted" : "failed";
    const ops = [...this.#draft.abandon(), ...this.#ending(outcome)];
    return savePatiently(this.#patience(), (options) => this.#turn.fail(cause, ops, { ...options, outcome }));
  }

  /**
   * What could not be saved may be in the store or not, so it is not sent again under another id. Only what is certainly
   * there is put in order. Patience is at its end: one attempt.
   */
  async #endUnsaved(cause: unknown): Promise<void> {
    const { store, newId } = this.#plan;
    const { sessionId, turnId } = this.#turn;
    const { answers } = await turnMessages(store, sessionId, turnId);
    const missing = withAnswers(answers, newId).filter((entry) => !answers.some(({ id }) => id === entry.id));
    const ops = [append(missing), count(this.#draft.counters), ...this.#ending("failed")];
    await this.#turn.fail(cause, ops);
  }

  #ending(outcome: TurnEnd["outcome"]): readonly OperationInput[] {
    return this.#plan.ending?.({ outcome, messageIds: this.#draft.messageIds }) ?? [];
  }

  #saveFailed(error: unknown): void {
    this.#isUnsaved = true;
    this.#stop.abort(error);
  }

  /** Half of the lease: when it has been in vain there is still time to end the turn. */
  #patience(): Patience {
    const { clock, newId, ttlMs } = this.#plan;
    return { clock, newId, deadlineMs: ttlMs / 2, isOver: () => !isHeld(this.#turn.signal) };
  }

  #warnOfRunner(error: unknown): void {
    const { sessionId, turnId } = this.#turn;
    this.#plan.warn({ message: "The runner failed while it was stopped.", sessionId, turnId, error });
  }
}
