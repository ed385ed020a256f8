import type {
  ForkOptions,
  JsonObject,
  Listing,
  ListSessionsQuery,
  MessageInput,
  ReadOptions,
  Session,
  SessionSummary,
} from "@sessions/protocol";
import type { AgentConfig, AgentEvent, CutOffTurn, TurnResult, Usage } from "@sessions/turn-runner";
import type { FollowEvent } from "./follow/follow-event.js";
import type { RecoverOptions, Recovery } from "./recovery.js";

/** A user's input: text, or a whole message (images, files). */
export type Prompt = string | MessageInput;

/** How to run one turn. */
export interface TurnOptions {
  /** The turn's identity, such as a webhook's delivery id: a turn that completed is not run again. Generated if absent. */
  readonly turnId?: string | undefined;
  /** Stops the turn; the answer so far stays, marked as interrupted. The caller gets the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A turn in progress: its events, and its result. */
export interface AgentStream extends AsyncIterable<AgentEvent> {
  readonly turnId: string;
  /** Resolves once the whole answer is stored. Rejects if the turn fails, also if saving fails. */
  readonly result: Promise<TurnResult>;
}

/** What `resume` found. */
export interface Resumed {
  readonly session: Session;
  readonly config: AgentConfig;
  readonly state: JsonObject;
  readonly usage: Usage;
  /** A turn that did not complete: see `recover`. */
  readonly cutOff?: CutOffTurn;
}

/** An agent that works on one session at a time and keeps everything in its store. */
export interface ManagedAgent {
  /** The session of the next turn. */
  readonly sessionId: string;
  /** The config as this agent last read it; the stored one counts. */
  readonly config: AgentConfig;

  /**
   * Runs a turn to its end. Rejects with the runner's error, with the store's error if saving failed, with TURN_LOST if the turn
   * was interrupted or lost its lease, with TURN_BUSY if another turn holds the session.
   */
  execute(prompt: Prompt, options?: TurnOptions): Promise<TurnResult>;
  /**
   * Runs a turn and passes its events to one consumer. It begins at once, runs at the consumer's pace, and is stored in any case.
   * Iterating throws what `result` rejects with.
   */
  stream(prompt: Prompt, options?: TurnOptions): AgentStream;
  /**
   * Stops the running turn, in any process. `false` if none runs. A turn of this agent has ended when this resolves. With
   * `turnId`, also a turn that still waits for others.
   */
  interrupt(options?: { readonly turnId?: string | undefined }): Promise<boolean>;

  /** Continues a stored session with its config, state and usage. SESSION_NOT_FOUND if it does not exist, and nothing changes. */
  resume(sessionId: string, options?: ReadOptions): Promise<Resumed>;
  /** Recovers a turn that was cut off. `undefined` if there is none. */
  recover(options: RecoverOptions): Promise<Recovery | undefined>;
  /** The events of a running turn of any process: from its beginning, then live, and how it ended. */
  follow(
    sessionId: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<FollowEvent>;

  /** The agent's state, from the store. */
  state(options?: ReadOptions): Promise<JsonObject>;
  /** Changes keys of the state; `null` removes a key. */
  setState(patch: JsonObject): Promise<void>;
  /** The usage of all turns of this session. */
  usage(options?: ReadOptions): Promise<Usage>;
  /** Sets another config from the next turn on: same session, same usage. Its version goes up by one. */
  updateAgent(config: AgentConfig): Promise<{ readonly version: number }>;
  /** Provisions the session's compute once, by the `compute` hooks, and stores it in the session. */
  provisionCompute(): Promise<JsonObject>;
  /** Releases the session's compute. `false` if there was none. */
  shutdownCompute(): Promise<boolean>;

  /** Copies the session, and continues with the original. */
  forkSession(fork?: ForkOptions): Promise<{ readonly sessionId: string }>;
  /** Continues with a new, empty session under the same config. The old one stays. */
  resetSession(options?: {
    readonly sessionId?: string | undefined;
  }): Promise<{ readonly sessionId: string }>;
  /** The sessions of this agent (by its name), newest first. */
  listSessions(query?: ListSessionsQuery): Listing<SessionSummary>;
  /** Reads a session without continuing it. SESSION_NOT_FOUND if it does not exist. */
  retrieveSession(sessionId: string, options?: ReadOptions): Promise<Session>;
}
