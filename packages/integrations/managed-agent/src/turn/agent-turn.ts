import { type BeginTurnResult, SessionError } from "@sessions/protocol";
import {
  type AgentEvent,
  type Emit,
  EventReplay,
  forwardAbort,
  interruption,
  isTransient,
  leaseRetryPolicy,
  REPAIR_WINDOW,
  type RetryPolicy,
  retry,
  type TurnResult,
  TurnRunner,
  turnMessages,
  turnResult,
} from "@sessions/turn-runner";
import { recordEnd } from "../follow/ended-turns.js";
import type { Settings } from "../settings.js";
import { prepareTurn } from "./prepare-turn.js";
import type { TurnRequest } from "./turn-request.js";

type Begun = Extract<BeginTurnResult, { readonly status: "begun" }>;

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

  /** Whether the turn holds the session; before that it waits for other turns. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Retries until the turn is stopped. */
  get retryPolicy(): RetryPolicy {
    return leaseRetryPolicy(this.#settings, this.#stop.signal);
  }

  /** Runs the turn to its end, after `ensureSession`. `signal` stops it, with its own reason. */
  run(
    emit: Emit,
    signal: AbortSignal | undefined,
    ensureSession: () => Promise<unknown>,
  ): Promise<TurnResult> {
    const unlink = forwardAbort(signal, this.#stop);
    const result = this.#run(emit, ensureSession).finally(unlink);
    this.#settled = Promise.allSettled([result]);
    return result;
  }

  /** Stops the turn. Resolves when it has ended. */
  async interrupt(): Promise<void> {
    this.#stop.abort(interruption(this.request.sessionId, this.request.turnId));
    await this.#settled;
  }

  async #run(emit: Emit, ensureSession: () => Promise<unknown>): Promise<TurnResult> {
    const { signal } = this.#stop;
    signal.throwIfAborted();
    await ensureSession();
    signal.throwIfAborted();
    const begun = await this.#begin();
    if (begun.status === "duplicate") return this.#replay(begun.session.revision, emit);
    this.#hasBegun = true;
    const { turn, session } = begun;
    return new TurnRunner({
      ...this.#settings,
      turn,
      signal,
      answer: (stopped) => this.#answer(begun, stopped),
      endOperations: ({ outcome }) => [recordEnd(session, turn, outcome)],
    }).run(emit);
  }

  async #answer({ turn, session }: Begun, signal: AbortSignal): Promise<AsyncIterable<AgentEvent>> {
    const prepared = await prepareTurn(this.#settings, this.request, turn, session, signal);
    signal.throwIfAborted();
    return this.#settings.runner(prepared);
  }

  #begin(): Promise<BeginTurnResult> {
    const { store, ttlMs, waitMs, owner } = this.#settings;
    const { sessionId, turnId, prompt } = this.request;
    const { signal } = this.#stop;
    const options = { turnId, ttlMs, waitMs, messages: prompt, select: REPAIR_WINDOW, signal, owner };
    let transient: unknown;
    return retry(this.retryPolicy, async () => {
      try {
        return await store.beginTurn(sessionId, options);
      } catch (error) {
        // An earlier attempt may have begun the turn, and its reply was lost: then the turn is busy with itself.
        if (transient !== undefined && SessionError.is(error, "TURN_BUSY") && error.turnId === turnId)
          throw transient;
        if (isTransient(error)) transient ??= error;
        throw error;
      }
    });
  }

  /** The turn had completed before: replays what is stored, and does not call the model. */
  async #replay(revision: number, emit: Emit): Promise<TurnResult> {
    const { sessionId, turnId } = this.request;
    const { signal } = this.#stop;
    const { store } = this.#settings;
    const { answers } = await retry(this.retryPolicy, () =>
      turnMessages(store, sessionId, turnId, { signal }),
    );
    const replay = new EventReplay();
    for (const event of answers.flatMap((message) => replay.events(message))) await emit(event);
    return turnResult({ sessionId, turnId, duplicate: true, revision }, answers);
  }
}
