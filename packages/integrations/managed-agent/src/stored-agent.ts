import {
  type ForkOptions,
  type JsonObject,
  type Listing,
  type ListSessionsQuery,
  type MessageInput,
  type OptionNames,
  type ReadOptions,
  requireOptions,
  type Session,
  type SessionSummary,
} from "@sessions/protocol/integration";
import {
  type AgentConfig,
  cutOffTurn,
  type Emit,
  invalid,
  KEPT_KEY,
  leaseRetryPolicy,
  markPrompt,
  notify,
  type RetryPolicy,
  recoverTurn,
  requireFields,
  requireName,
  retry,
  sessionNotFound,
  stateOf,
  statePatch,
  type TurnResult,
  type Usage,
} from "@sessions/turn-runner";
import { COMPUTE_KEY, configChange, configOf, initOf, versionOf } from "./agent-record.js";
import { type ComputeSession, provisionCompute, shutdownCompute } from "./compute.js";
import { EventChannel } from "./event-channel.js";
import { ENDED_KEY } from "./follow/ended-turns.js";
import type { FollowEvent } from "./follow/follow-event.js";
import { followTurn } from "./follow/follow-turn.js";
import type { AgentStream, ManagedAgent, Prompt, Resumed, TurnOptions } from "./managed-agent.js";
import type { RecoverOptions, Recovery } from "./recovery.js";
import { SessionCreator } from "./session-creator.js";
import { requireConfig, type Settings } from "./settings.js";
import { AgentTurn } from "./turn/agent-turn.js";

/** The one implementation of `ManagedAgent`. It only remembers which session and config come next; the rest is stored. */
export class StoredAgent implements ManagedAgent {
  readonly #settings: Settings;
  readonly #sessions: SessionCreator;
  readonly #running = new Set<AgentTurn>();
  #sessionId: string;
  #config: AgentConfig;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#sessions = new SessionCreator(settings.store);
    this.#sessionId = settings.sessionId;
    this.#config = settings.config;
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  get config(): AgentConfig {
    return this.#config;
  }

  async execute(prompt: Prompt, options: TurnOptions = {}): Promise<TurnResult> {
    const { turnId, signal } = requireOptions(options, TURN_OPTIONS);
    return this.#run(this.#turn(prompt, turnId), () => undefined, signal);
  }

  stream(prompt: Prompt, options: TurnOptions = {}): AgentStream {
    const { turnId, signal } = requireOptions(options, TURN_OPTIONS);
    const turn = this.#turn(prompt, turnId);
    const stops = this.#settings.onDisconnect === "abort";
    const channel = new EventChannel(() => (stops ? turn.interrupt() : Promise.resolve()));
    const result = this.#run(turn, (event) => channel.push(event), signal);
    result.then(
      () => channel.end({}),
      (error: unknown) => channel.end({ error }),
    );
    return { turnId: turn.request.turnId, result, [Symbol.asyncIterator]: () => channel };
  }

  async interrupt(options: { readonly turnId?: string | undefined } = {}): Promise<boolean> {
    const { turnId } = requireOptions(options, { turnId: "text" });
    const sessionId = this.#sessionId;
    const here = [...this.#running].filter((turn) => turn.request.sessionId === sessionId);
    const own = here.find((turn) => (turnId === undefined ? turn.hasBegun : turn.request.turnId === turnId));
    if (own === undefined) return this.#interruptElsewhere(sessionId, turnId);
    await own.interrupt();
    return true;
  }

  async resume(sessionId: string, options: ReadOptions = {}): Promise<Resumed> {
    const session = await this.retrieveSession(sessionId, options);
    const config = configOf(session) ?? this.#settings.config;
    const cutOff = cutOffTurn(session);
    this.#sessions.exists(sessionId);
    [this.#sessionId, this.#config] = [sessionId, config];
    return {
      session,
      config,
      state: stateOf(session),
      usage: session.counters,
      ...(cutOff === undefined ? {} : { cutOff }),
    };
  }

  async recover(given: RecoverOptions): Promise<Recovery | undefined> {
    const { onEvent, signal, ...options } = requireStrategy(given);
    const { strategy } = options;
    const { store } = this.#settings;
    const sessionId = this.#sessionId;
    const recovered = await recoverTurn({ ...options, store, sessionId, policy: this.#retryPolicy(signal) });
    if (recovered === undefined) return undefined;
    const { turnId, prompt } = recovered;
    if (strategy !== "retry" || prompt === undefined) return { turnId, strategy };
    const turn = new AgentTurn(this.#settings, { sessionId, turnId, prompt, config: this.#config });
    const emit: Emit = (event) => {
      notify(
        () => onEvent?.(event),
        (error) =>
          this.#settings.warn({ message: "onEvent failed; the turn goes on.", sessionId, turnId, error }),
      );
      return undefined;
    };
    return { turnId, strategy, result: await this.#run(turn, emit, signal) };
  }

  async *follow(sessionId: string, options: ReadOptions = {}): AsyncGenerator<FollowEvent, void, undefined> {
    const { store, clock } = this.#settings;
    const { signal } = requireOptions(options, { signal: "signal" });
    yield* followTurn(store, sessionId, { signal, clock });
  }

  async state(options: ReadOptions = {}): Promise<JsonObject> {
    const session = await this.#readSession(options);
    return session === undefined ? {} : stateOf(session);
  }

  async setState(patch: JsonObject): Promise<void> {
    requireFields(patch, "patch");
    const sessionId = await this.#ensureSession();
    await this.#settings.store.updateSessionMetadata(sessionId, statePatch(patch));
  }

  async usage(options: ReadOptions = {}): Promise<Usage> {
    return (await this.#readSession(options))?.counters ?? {};
  }

  async updateAgent(given: AgentConfig): Promise<{ readonly version: number }> {
    const config = requireConfig(given, "config");
    const sessionId = await this.#ensureSession();
    let version = 0;
    await this.#settings.store.updateSession(
      sessionId,
      (session) => {
        if (session === undefined) throw sessionNotFound(sessionId);
        version = versionOf(session) + 1;
        return configChange(config, version);
      },
      { messages: "none" },
    );
    if (this.#sessionId === sessionId) this.#config = config;
    return { version };
  }

  async provisionCompute(): Promise<JsonObject> {
    return provisionCompute(await this.#computeSession());
  }

  async shutdownCompute(): Promise<boolean> {
    return shutdownCompute(await this.#computeSession());
  }

  async forkSession(given: ForkOptions = {}): Promise<{ readonly sessionId: string }> {
    const fork = requireOptions(given, { at: true, newId: true, title: true, metadata: "object" }, "fork");
    // The compute belongs to the original: two owners would release it under each other.
    const metadata = { ...fork.metadata, [COMPUTE_KEY]: null, [KEPT_KEY]: null, [ENDED_KEY]: null };
    const { sessionId } = await this.#settings.store.forkSession(this.#sessionId, { ...fork, metadata });
    return { sessionId };
  }

  async resetSession(
    options: { readonly sessionId?: string | undefined } = {},
  ): Promise<{ readonly sessionId: string }> {
    const { sessionId: chosen } = requireOptions(options, { sessionId: true });
    const sessionId = requireName(chosen ?? this.#settings.newId(), "options.sessionId");
    await this.#settings.store.createSession(sessionId, initOf(this.#config));
    this.#sessions.exists(sessionId);
    this.#sessionId = sessionId;
    return { sessionId };
  }

  listSessions(query: ListSessionsQuery = {}): Listing<SessionSummary> {
    const { name } = this.#config;
    const { store } = this.#settings;
    if (name === undefined) return store.listSessions(query);
    // The store refuses what is not a query, when the list is read.
    const isQuery = Object.getPrototypeOf(Object(query)) === Object.prototype;
    return store.listSessions(isQuery ? { ...query, labels: { agent: name, ...query.labels } } : query);
  }

  async retrieveSession(sessionId: string, options: ReadOptions = {}): Promise<Session> {
    const checked = requireOptions(options, { signal: "signal" });
    const session = await this.#settings.store.getSession(sessionId, checked);
    if (session === undefined) throw sessionNotFound(sessionId);
    return session;
  }

  /** A turn of the present session. */
  #turn(prompt: Prompt, turnId: string = this.#settings.newId()): AgentTurn {
    const message: MessageInput =
      typeof prompt === "string" ? { role: "user", content: prompt } : requirePrompt(prompt);
    const request = { sessionId: this.#sessionId, turnId, config: this.#config };
    return new AgentTurn(this.#settings, { ...request, prompt: markPrompt(turnId, message) });
  }

  async #run(turn: AgentTurn, emit: Emit, signal: AbortSignal | undefined): Promise<TurnResult> {
    this.#running.add(turn);
    const { sessionId, config } = turn.request;
    try {
      return await turn.run(emit, signal, () => this.#sessions.ensure(sessionId, config, turn.retryPolicy));
    } finally {
      this.#running.delete(turn);
    }
  }

  async #interruptElsewhere(sessionId: string, turnId: string | undefined): Promise<boolean> {
    const { store } = this.#settings;
    const policy = this.#retryPolicy();
    const session = await retry(policy, () => store.getSession(sessionId, { messages: "none" }));
    const running = session?.turn;
    if (running?.status !== "running" || (turnId ?? running.turnId) !== running.turnId) return false;
    await retry(policy, () => store.interruptTurn(sessionId, { turnId: running.turnId }));
    return true;
  }

  async #readSession(options: ReadOptions): Promise<Session | undefined> {
    const { signal } = requireOptions(options, { signal: "signal" });
    return this.#settings.store.getSession(this.#sessionId, { signal, messages: "none" });
  }

  /** Creates the present session on its first use. */
  async #ensureSession(): Promise<string> {
    const sessionId = this.#sessionId;
    await this.#sessions.ensure(sessionId, this.#config, this.#retryPolicy());
    return sessionId;
  }

  #retryPolicy(signal?: AbortSignal): RetryPolicy {
    return leaseRetryPolicy(this.#settings, signal);
  }

  async #computeSession(): Promise<ComputeSession> {
    const { store, compute: hooks, newId } = this.#settings;
    if (hooks === undefined)
      throw invalid("options.compute", "is missing: there are no hooks to make it with.");
    return { store, hooks, newId, sessionId: await this.#ensureSession() };
  }
}

function requirePrompt(prompt: MessageInput): MessageInput {
  requireFields(prompt, "prompt");
  return prompt;
}

const TURN_OPTIONS: OptionNames<TurnOptions> = { turnId: "text", signal: "signal" };

const RECOVER_OPTIONS: OptionNames<RecoverOptions> = {
  strategy: true,
  force: "boolean",
  cutOff: "object",
  onEvent: "function",
  signal: "signal",
};

function requireStrategy(given: RecoverOptions): RecoverOptions {
  const options = requireOptions(given, RECOVER_OPTIONS);
  if (["keep", "retry", "discard"].includes(options.strategy)) return options;
  throw invalid("options.strategy", 'must be "keep", "retry" or "discard".');
}
