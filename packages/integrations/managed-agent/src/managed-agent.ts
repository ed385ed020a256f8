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
import type { AgentConfig } from "./agent-config.js";
import type { AgentEvent, Usage } from "./agent-event.js";
import type { FollowEvent } from "./follow-event.js";
import type { CutOffTurn, RecoverOptions, Recovery } from "./recovery.js";
import type { TurnResult } from "./turn-result.js";

/** What a user says: text, or a whole message (images, files). */
export type Prompt = string | MessageInput;

/** How to run one turn. */
export interface TurnOptions {
  /** The turn's identity, such as a webhook's delivery id: one that completed is not run again. Generated where absent. */
  readonly turnId?: string | undefined;
  /** Stops the turn; what was answered so far stays, marked as interrupted. The caller gets the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A turn in progress: its events, and its end. */
export interface AgentStream extends AsyncIterable<AgentEvent> {
  readonly turnId: string;
  /** Resolves once the whole answer is stored. Rejects with what went wrong, also if saving failed. */
  readonly result: Promise<TurnResult>;
}

/** What `resume` found. */
export interface Resumed {
  readonly session: Session;
  readonly config: AgentConfig;
  readonly state: JsonObject;
  readonly usage: Usage;
  /** The turn that did not come to its end: see `recover`. */
  readonly cutOff?: CutOffTurn;
}

/** An agent that works on one session at a time and keeps everything in its store. */
export interface ManagedAgent {
  /** The session that the next turn goes to. */
  readonly sessionId: string;
  /** As this agent last knew it; the one that is stored counts. */
  readonly config: AgentConfig;

  /**
   * Runs a turn to its end. Rejects with what the runner threw, with the store's error if saving failed, with TURN_LOST
   * if it was interrupted or lost its lease, with TURN_BUSY if another turn was in the way.
   */
  execute(prompt: Prompt, options?: TurnOptions): Promise<TurnResult>;
  /**
   * Runs a turn and tells its events to one consumer. It begins at once, runs at the consumer's pace, and is stored
   * whatever becomes of it. Iterating throws what `result` rejects with.
   */
  stream(prompt: Prompt, options?: TurnOptions): AgentStream;
  /**
   * Stops the running turn, also one of another process. `false` if none runs. One of this agent has ended when this
   * resolves. With `turnId`, also one that still waits for others.
   */
  interrupt(options?: { readonly turnId?: string | undefined }): Promise<boolean>;

  /** Goes on with a stored session: its config, state and usage. SESSION_NOT_FOUND if there is none, and nothing changes. */
  resume(sessionId: string, options?: ReadOptions): Promise<Resumed>;
  /** Puts a turn that was cut off in order. `undefined` if there is none. */
  recover(options: RecoverOptions): Promise<Recovery | undefined>;
  /** The events of a running turn, of any process: from its beginning, then live, and how it ended. */
  follow(
    sessionId: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<FollowEvent>;

  /** The agent's state, from the store. */
  state(options?: ReadOptions): Promise<JsonObject>;
  /** Changes keys of the state; `null` clears one for good. */
  setState(patch: JsonObject): Promise<void>;
  /** What all turns of this session have used. */
  usage(options?: ReadOptions): Promise<Usage>;
  /** Another config from the next turn on: same session, same usage. Its version goes up by one. */
  updateAgent(config: AgentConfig): Promise<{ readonly version: number }>;
  /** Makes what the `compute` hooks make, once, and keeps it in the session. */
  provisionCompute(): Promise<JsonObject>;
  /** Releases it and forgets it. `false` if there was none. */
  shutdownCompute(): Promise<boolean>;

  /** Copies the session, and goes on with the original. */
  forkSession(fork?: ForkOptions): Promise<{ readonly sessionId: string }>;
  /** Goes on with a new, empty session under the same config. The old one stays. */
  resetSession(options?: {
    readonly sessionId?: string | undefined;
  }): Promise<{ readonly sessionId: string }>;
  /** The sessions of this agent (by its name), newest first. */
  listSessions(query?: ListSessionsQuery): Listing<SessionSummary>;
  /** Reads a session without going on with it. SESSION_NOT_FOUND if there is none. */
  retrieveSession(sessionId: string, options?: ReadOptions): Promise<Session>;
}
