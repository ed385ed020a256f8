import type { Clock, JsonObject, OptionNames, SessionStore } from "@sessions/protocol/integration";
import type {
  AgentConfig,
  CheckpointOptions,
  ContextBudgetOptions,
  Runner,
  Warning,
} from "@sessions/turn-runner";

/** What to do when another turn holds the session. */
export interface QueueOptions {
  /** How long to wait for it, in order of arrival. 0: TURN_BUSY at once. @default 0 */
  readonly waitMs?: number;
}

/** Hooks for something outside that belongs to a session: a sandbox, a container, a browser. */
export interface ComputeHooks {
  /**
   * Makes the compute. `key` is stored before the call, and the same key is passed again after a crash: use it as the idempotency
   * key.
   */
  readonly provision: (request: { readonly sessionId: string; readonly key: string }) => Promise<JsonObject>;
  /** Releases the compute. Called again after a crash, so releasing it twice must not fail. */
  readonly shutdown: (compute: JsonObject) => Promise<void>;
}

/** How to make a managed agent. */
export interface ManagedAgentOptions {
  readonly store: SessionStore;
  readonly runner: Runner;
  readonly config: AgentConfig;
  /** Generated if absent. */
  readonly sessionId?: string;
  /** When a growing answer is saved. @default { everyMs: 2000, everyChars: 16384 } */
  readonly checkpoint?: CheckpointOptions;
  readonly context?: ContextBudgetOptions;
  readonly queue?: QueueOptions;
  /** When the consumer leaves a stream: stop the runner, or let it finish and save the answer. @default "abort" */
  readonly onDisconnect?: "abort" | "continue";
  /** How long a turn's lease lasts without a renewal: how long others wait after a crash. @default 30000 */
  readonly ttlMs?: number;
  /** The name of the process or worker that runs the turns, for people. */
  readonly owner?: string;
  readonly compute?: ComputeHooks;
  /** Gets errors that do not fail a turn: of a summary, of a runner that fails while it is stopped. */
  readonly onWarning?: (warning: Warning) => void;
  /** The clock; tests pass their own. @default systemClock */
  readonly clock?: Clock;
}

export const CONTEXT_OPTIONS: OptionNames<ContextBudgetOptions> = {
  maxTokens: true,
  countTokens: true,
  summarize: true,
  keepTokens: true,
};

export const QUEUE_OPTIONS: OptionNames<QueueOptions> = { waitMs: true };

export const MANAGED_AGENT_OPTIONS: OptionNames<ManagedAgentOptions> = {
  store: true,
  runner: true,
  config: true,
  sessionId: true,
  checkpoint: true,
  context: true,
  queue: true,
  onDisconnect: true,
  ttlMs: true,
  owner: true,
  compute: true,
  onWarning: true,
  clock: "object",
};
