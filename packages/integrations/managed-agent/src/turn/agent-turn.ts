import type { AgentEvent } from "../agent-event.js";
import type { Settings } from "../settings.js";
import type { TurnResult } from "../turn-result.js";
import { HeldRun } from "./held-run.js";
import { interruption } from "./interruption.js";
import { preparedTurn } from "./prepared-turn.js";
import { resultOf } from "./result-of.js";
import { Retelling } from "./retelling.js";
import { TELLTALE } from "./tidy-history.js";
import { turnMessages } from "./turn-messages.js";
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

  /** Runs it to its end. `signal` stops it, with its own reason. */
  run(emit: Emit, signal?: AbortSignal): Promise<TurnResult> {
    const stop = (): void => this.#stop.abort(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const result = this.#run(emit).finally(() => signal?.removeEventListener("abort", stop));
    this.#settled = Promise.allSettled([result]);
    return result;
  }

  /** Stops it. Resolves when it has ended. */
  async interrupt(): Promise<void> {
    this.#stop.abort(interruption(this.request.sessionId, this.request.turnId));
    await this.#settled;
  }

  async #run(emit: Emit): Promise<TurnResult> {
    const { store, ttlMs, waitMs, owner } = this.#settings;
    const { sessionId, turnId, prompt } = this.request;
    this.#stop.signal.throwIfAborted();
    const begun = await store.beginTurn(sessionId, {
      turnId,
      ttlMs,
      waitMs,
      messages: prompt,
      select: TELLTALE,
      signal: this.#stop.signal,
      ...(owner === undefined ? {} : { owner }),
    });
    if (begun.status === "duplicate") return this.#retell(begun.session.revision, emit);
    this.#hasBegun = true;
    const { turn, session } = begun;
    const answer = async (signal: AbortSignal): Promise<AsyncIterable<AgentEvent>> => {
      const prepared = await preparedTurn(this.#settings, this.request, turn, session, signal);
      signal.throwIfAborted();
      return this.#settings.runner(prepared);
    };
    return new HeldRun({ ...this.#settings, turn, answer, stop: this.#stop }).run(emit);
  }

  /** It was run before: what is stored is told again, and the model is not asked. */
  async #retell(revision: number, emit: Emit): Promise<TurnResult> {
    const { sessionId, turnId } = this.request;
    const { answers } = await turnMessages(this.#settings.store, sessionId, turnId, {
      signal: this.#stop.signal,
    });
    const retelling = new Retelling();
    for (const event of answers.flatMap((message) => retelling.events(message))) await emit(event);
    return resultOf({ sessionId, turnId, duplicate: true, revision }, answers);
  }
}
