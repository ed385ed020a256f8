import type {
  Clock,
  CountTokens,
  JsonObject,
  OptionNames,
  SessionStore,
  SummaryTask,
} from "@sessions/protocol/integration";
import type { AgentConfig } from "./agent-config.js";
import type { Runner } from "./runner.js";

/** When a growing answer is saved. Whichever comes first; tool calls and results are saved as they happen. */
export interface CheckpointOptions {
  /** @default 2000 */
  readonly everyMs?: number;
  /** Characters since the last checkpoint. @default 16384 */
  readonly everyChars?: number;
}

/** What of a long conversation the model is sent. */
export interface AgentContextOptions {
  /** @default 100000 */
  readonly maxTokens?: number;
  /** @default estimateTokens */
  readonly countTokens?: CountTokens;
  /** Once the live messages pass `maxTokens`, the oldest are archived and this is asked for a summary of them. */
  readonly summarize?: (task: SummaryTask) => Promise<string> | string;
  /** How many tokens of newest messages stay live when the others are archived. @default half of maxTokens */
  readonly keepTokens?: number;
}

/** What to do when another turn holds the session. */
export interface QueueOptions {
  /** How long to wait for it, in order of arrival. 0: TURN_BUSY at once. @default 0 */
  readonly waitMs?: number;
}

/** Something outside that belongs to a session: a sandbox, a container, a browser. */
export interface ComputeHooks {
  /**
   * Makes it. `key` is stored before the call and is the same when a crashed attempt is made again: use it as the
   * idempotency key of what is made.
   */
  readonly provision: (request: { readonly sessionId: string; readonly key: string }) => Promise<JsonObject>;
  /** Releases it. Called again after a crash, so releasing what is gone must not fail. */
  readonly shutdown: (compute: JsonObject) => Promise<void>;
}

/** How to make a managed agent. */
export interface ManagedAgentOptions {
  readonly store: SessionStore;
  readonly runner: Runner;
  readonly config: AgentConfig;
  /** Generated where absent. */
  readonly sessionId?: string;
  readonly checkpoint?: CheckpointOptions;
  readonly context?: AgentContextOptions;
  readonly queue?: QueueOptions;
  /** When the consumer leaves a stream: stop the runner, or let it finish and save the answer. @default "abort" */
  readonly onDisconnect?: "abort" | "continue";
  /** How long a turn's lease lasts without a renewal: how long others wait after a crash. @default 30000 */
  readonly ttlMs?: number;
  /** For people: who runs the turns. */
  readonly owner?: string;
  readonly compute?: ComputeHooks;
  /** Told of what went wrong beside a turn without failing it: a summary, a runner that fails while it is stopped. */
  readonly onWarning?: (warning: Warning) => void;
  /** Time; tests hold it still. @default systemClock */
  readonly clock?: Clock;
}

/** Something that went wrong beside a turn. Nothing is lost. */
export interface Warning {
  readonly message: string;
  readonly sessionId: string;
  readonly turnId?: string;
  readonly error: unknown;
}

export const CHECKPOINT_OPTIONS: OptionNames<CheckpointOptions> = { everyMs: true, everyChars: true };

export const AGENT_CONTEXT_OPTIONS: OptionNames<AgentContextOptions> = {
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
