import { type Agent, type AgentInputItem, type AgentOutputType, RunState } from "@openai/agents";
import type {
  BeginTurnResult,
  OperationInput,
  ReadOptions,
  Session,
  SessionStore,
  Turn,
} from "@sessions/protocol";
import { combinedTurnError } from "@sessions/protocol/integration";
import { answerText, invalid, retry, turnMessages } from "@sessions/turn-runner";
import { SESSION_RETRY_POLICY } from "../session/session-retry-policy.js";
import { decide, nothingWaits, requireDecided, requireNotRunning, statusOfCalls } from "./decide.js";
import { type Play, type PlaySettings, playRun, turnRetryPolicy } from "./play-run.js";
import type { OpenAIRuns, RunOptions, StoredRun, WaitingCall } from "./runs.js";
import { callIdOf, type Decision, storeWaitingRun, type WaitingRun, waitingRunOf } from "./waiting-run.js";

type Begun = Extract<BeginTurnResult, { readonly status: "begun" }>;

/** What a `StoredRuns` works with. */
export interface StoredRunsSettings<TContext, TOutput extends AgentOutputType>
  extends PlaySettings<TContext> {
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly agent: Agent<TContext, TOutput>;
  readonly waitMs: number | undefined;
  readonly owner: string | undefined;
}

/** The one implementation of `OpenAIRuns`. It holds nothing: everything is in the session. */
export class StoredRuns<TContext, TOutput extends AgentOutputType> implements OpenAIRuns {
  readonly #settings: StoredRunsSettings<TContext, TOutput>;

  constructor(settings: StoredRunsSettings<TContext, TOutput>) {
    this.#settings = settings;
  }

  async run(input: string | AgentInputItem[], options: RunOptions = {}): Promise<StoredRun> {
    const begun = await this.#begin(options);
    if (begun.status === "duplicate") return this.#stored(begun.turnId);
    const { turn, session } = begun;
    await orRelease(turn, async () => requireNoneWaits(session));
    return this.#played(begun, { start: input, signal: options.signal });
  }

  async waiting(options: ReadOptions = {}): Promise<readonly WaitingCall[]> {
    const session = await this.#read(options);
    const run = session === undefined ? undefined : waitingRunOf(session);
    return session === undefined || run === undefined ? [] : statusOfCalls(run, session.turn);
  }

  async approve(
    callId: string,
    { again = false }: { readonly again?: boolean | undefined } = {},
  ): Promise<void> {
    await this.#update((session) => decide(session, callId, { approve: true }, again));
  }

  async reject(callId: string, { message }: { readonly message?: string | undefined } = {}): Promise<void> {
    const decision: Decision = { approve: false, ...(message === undefined ? {} : { message }) };
    await this.#update((session) => decide(session, callId, decision, false));
  }

  async resume(options: RunOptions = {}): Promise<StoredRun> {
    // Beginning a turn would create the session.
    if ((await this.#read({ signal: options.signal })) === undefined) throw nothingWaits();
    const begun = await this.#begin(options);
    if (begun.status === "duplicate") return this.#stored(begun.turnId);
    const { turn, session } = begun;
    const { waits, state } = await orRelease(turn, () => this.#decided(turn, session));
    return this.#played(begun, { start: state, waits, signal: options.signal });
  }

  async abandon(): Promise<boolean> {
    let found = false;
    await this.#update((session) => {
      found = session !== undefined && waitingRunOf(session) !== undefined;
      if (session === undefined || !found) return [];
      requireNotRunning(session);
      return [storeWaitingRun(undefined)];
    });
    return found;
  }

  #begin({ turnId, signal }: RunOptions): Promise<BeginTurnResult> {
    const { store, sessionId, ttlMs, waitMs, owner } = this.#settings;
    return store.beginTurn(sessionId, { turnId, ttlMs, waitMs, owner, signal, select: "all" });
  }

  /**
   * The state of the run that waits, with its decisions. Before a tool may run, it is stored that it may have run: if this process ends
   * before the result is stored, nobody runs it again by mistake.
   */
  async #decided(turn: Turn, session: Session) {
    const decided = requireDecided(session);
    const state = await RunState.fromString<TContext, Agent<TContext, TOutput>>(
      this.#settings.agent,
      decided.state,
    );
    for (const item of state.getInterruptions()) {
      const decision = decided.calls.find(({ callId }) => callId === callIdOf(item))?.decision;
      if (decision?.approve === true) state.approve(item);
      else state.reject(item, decision?.message === undefined ? {} : { message: decision.message });
    }
    const waits: WaitingRun = {
      ...decided,
      calls: decided.calls.map((call) =>
        call.decision?.approve === true ? { ...call, started: true } : call,
      ),
    };
    await retry(turnRetryPolicy(turn, this.#settings), (commit) =>
      turn.commit([storeWaitingRun(waits)], commit),
    );
    return { waits, state };
  }

  async #played(
    { turn, session }: Begun,
    how: Pick<Play<TContext, TOutput>, "start" | "waits" | "signal">,
  ): Promise<StoredRun> {
    const { agent } = this.#settings;
    const { finalOutput, text, stopped } = await playRun(this.#settings, { turn, session, agent, ...how });
    const waiting = stopped === undefined ? [] : statusOfCalls(stopped);
    const status = stopped === undefined ? "completed" : "waiting";
    return { turnId: turn.turnId, status, text, waiting, finalOutput, duplicate: false };
  }

  /** A turn that was completed, as it is stored. */
  async #stored(turnId: string): Promise<StoredRun> {
    const { store, sessionId } = this.#settings;
    const { answers } = await retry(SESSION_RETRY_POLICY, () => turnMessages(store, sessionId, turnId));
    const session = await this.#read({});
    const run = session === undefined ? undefined : waitingRunOf(session);
    const waits =
      session !== undefined && run?.turnId === turnId ? statusOfCalls(run, session.turn) : undefined;
    return {
      turnId,
      status: waits === undefined ? "completed" : "waiting",
      text: answerText(answers),
      waiting: waits ?? [],
      finalOutput: undefined,
      duplicate: true,
    };
  }

  async #update(compute: (session: Session | undefined) => readonly OperationInput[]): Promise<void> {
    const { store, sessionId } = this.#settings;
    await retry(SESSION_RETRY_POLICY, (options) =>
      store.updateSession(sessionId, compute, { ...options, messages: "none" }),
    );
  }

  #read({ signal }: ReadOptions): Promise<Session | undefined> {
    const { store, sessionId } = this.#settings;
    return retry({ ...SESSION_RETRY_POLICY, signal }, () =>
      store.getSession(sessionId, { signal, messages: "none" }),
    );
  }
}

function requireNoneWaits(session: Session): void {
  if (waitingRunOf(session) === undefined) return;
  throw invalid("session", "has a run that waits for approvals. Decide and resume it first, or abandon it.");
}

/** What is refused leaves no trace of its turn. */
async function orRelease<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await turn.release().catch((unended: unknown) => {
      throw combinedTurnError(error, unended);
    });
    throw error;
  }
}
