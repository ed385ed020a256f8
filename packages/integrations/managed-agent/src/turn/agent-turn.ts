import { type BeginTurnResult, type OperationInput, SessionError } from "@sessions/protocol";
import type { AgentEvent } from "../agent-event.js";
import { recordEnd } from "../session/ended-turns.js";
import type { Settings } from "../settings.js";
import type { TurnResult } from "../turn-result.js";
import { HeldRun, type TurnEnd } from "./held-run.js";
import { interruption } from "./interruption.js";
import { preparedTurn } from "./prepared-turn.js";
import { resultOf } from "./result-of.js";
import { Retelling } from "./retelling.js";
import { mayPass, type Retrying, retried } from "./retried.js";
import { TELLTALE } from "./tidy-history.js";
import { type TurnMessages, turnMessages } from "./turn-messages.js";
import type { Emit, TurnRequest } from "./turn-request.js";

/** One turn of an agent, from its beginning in the store to its end there. */
export class AgentTurn {
  readonly request: TurnRequest;
  readonly #settings: Settings;
  readonly #stop = new AbortController();
  #hasBegun = false;
  #settled: Promise<unknown> = Promise.resolve();

  constructor(settings: Settings, request: TurnRequest) {
    this.#settings = settings;
    this.request = request;
  }

  /** Whether it holds the session; before that it waits for others. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Makes calls again whose error may pass, until this turn is stopped. */
  get retrying(): Retrying {
    const { clock, ttlMs } = this.#settings;
    return { clock, deadlineMs: ttlMs / 2, signal: this.#stop.signal };
  }

  /** Runs it to its end, once the session is there. `signal` stops it, with its own reason. */
  run(emit: Emit, signal: AbortSignal | undefined, made: () => Promise<unknown>): Promise<TurnResult> {
    const stop = (): void => this.#stop.abort(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const result = this.#run(emit, made).finally(() => signal?.removeEventListener("abort", stop));
    this.#settled = Promise.allSettled([result]);
    return result;
  }

  /** Stops it. Resolves when it has ended. */
  async interrupt(): Promise<void> {
    this.#stop.abort(interruption(this.request.sessionId, this.request.turnId));
    await this.#settled;
  }

  async #run(emit: Emit, made: () => Promise<unknown>): Promise<TurnResult> {
    this.#stop.signal.throwIfAborted();
    await made();
    this.#stop.signal.throwIfAborted();
    const begun = await this.#begin();
    if (begun.status === "duplicate") return this.#retell(begun.session.revision, emit);
    this.#hasBegun = true;
    const { turn, session } = begun;
    const answer = async (signal: AbortSignal): Promise<AsyncIterable<AgentEvent>> => {
      const prepared = await preparedTurn(this.#settings, this.request, turn, session, signal);
      signal.throwIfAborted();
      return this.#settings.runner(prepared);
    };
    const ending = ({ outcome }: TurnEnd): readonly OperationInput[] => [recordEnd(session, turn, outcome)];
    return new HeldRun({ ...this.#settings, turn, answer, ending, stop: this.#stop }).run(emit);
  }

  async #begin(): Promise<BeginTurnResult> {
    const { store, ttlMs, waitMs, owner } = this.#settings;
    const { sessionId, turnId, prompt } = this.request;
    const { signal } = this.#stop;
    const options = { turnId, ttlMs, waitMs, messages: prompt, select: TELLTALE, signal, owner };
    let passing: unknown;
    const begin = async (): Promise<BeginTurnResult> => {
      try {
        return await store.beginTurn(sessionId, options);
      } catch (error) {
        // An attempt may have begun the turn without an answer. Then it is in its own way until its lease is over.
        if (passing !== undefined && SessionError.is(error, "TURN_BUSY") && error.turnId === turnId)
          throw passing;
        if (mayPass(error)) passing ??= error;
        throw error;
      }
    };
    return retried({ ...this.retrying, isOver: () => signal.aborted }, begin);
  }

  /** It was run before: what is stored is told again, and the model is not asked. */
  async #retell(revision: number, emit: Emit): Promise<TurnResult> {
    const { sessionId, turnId } = this.request;
    const { signal } = this.#stop;
    const read = (): Promise<TurnMessages> =>
      turnMessages(this.#settings.store, sessionId, turnId, { signal });
    const { answers } = await retried(this.retrying, read);
    const retelling = new Retelling();
    for (const event of answers.flatMap((message) => retelling.events(message))) await emit(event);
    return resultOf({ sessionId, turnId, duplicate: true, revision }, answers);
  }
}
