import type { Clock, OptionNames, SessionStore } from "@sessions/protocol/integration";
import type { AgentConfig, CheckpointOptions, ContextBudgetOptions } from "@sessions/turn-runner";
import type { BotUpdate, Identity } from "./bot-update.js";
import type { Respond } from "./respond.js";

/** Which messages share a conversation. Direct messages always belong to their user. */
export type BotScope = "user" | "chat" | "thread";

/** What happens to an update while another update of its conversation is being answered. */
export type BusyPolicy = "queue" | "merge" | "interrupt" | "reject";

/** When a new conversation begins. This is decided when the next update comes, from the stored session. */
export interface ResetOptions {
  /** After no activity for this long. */
  readonly idleMs?: number | undefined;
  /** Every day at this hour. */
  readonly daily?: { readonly hour: number; readonly timeZone: string } | undefined;
  /** After this many turns. */
  readonly turns?: number | undefined;
  /** Texts of users that begin a new conversation. @default ["/new"] */
  readonly commands?: readonly string[] | undefined;
  /** The reply to such a text. @default "A new conversation." */
  readonly reply?: string | undefined;
  /** Delete the old conversation instead of archiving it. @default false */
  readonly destroy?: boolean | undefined;
}

/** How much of the conversation `respond` gets. Tool calls and their results stay together. */
export interface HistoryOptions extends ContextBudgetOptions {
  /** @default no limit */
  readonly maxMessages?: number | undefined;
}

/** Why a conversation ended. */
export type EndReason = "idle" | "daily" | "turns" | "command";

/** A conversation that begins. */
export interface ConversationStart {
  readonly sessionId: string;
  /** `new`: the first one. `reset`: after another one in the same session. */
  readonly reason: "new" | "reset";
}

/** A conversation that ended. */
export interface ConversationEnd {
  readonly sessionId: string;
  readonly reason: EndReason;
  /** The archive of its messages. Absent if there were none, or if they were destroyed. */
  readonly archiveId?: string;
}

/** Where an error occurred. */
export interface ErrorPlace {
  /** `turn`: the caller of `handle` gets the same error. `hook`, `warning`: nobody else gets it. */
  readonly during: "turn" | "hook" | "warning";
  readonly sessionId?: string;
  readonly update?: BotUpdate;
}

/** How to make a bot session. */
export interface BotSessionOptions {
  readonly store: SessionStore;
  /** Part of every key: `telegram`, `slack`. */
  readonly platform: string;
  /** Part of every key: the name of one of your bots or workspaces. @default none */
  readonly account?: string | undefined;
  readonly scope: BotScope;
  readonly respond: Respond;
  /** Passed to `respond`; a ready-made runner reads its model and instructions from it. @default {} */
  readonly config?: AgentConfig | undefined;
  /**
   * Returns your own id of a person; identities with the same id share one conversation. `undefined`: the links count. Anything
   * else than a non-empty string is INVALID_ARGUMENT.
   */
  readonly identity?: ((identity: Identity) => string | undefined | Promise<string | undefined>) | undefined;
  readonly reset?: ResetOptions | undefined;
  readonly history?: HistoryOptions | undefined;
  /** @default "queue" */
  readonly busy?: BusyPolicy | undefined;
  /** How long an update may take in all, including waiting and your own functions. @default 120000 */
  readonly deadlineMs?: number | undefined;
  /** How long a turn's lease lasts without a renewal: how long a user waits after a crash. @default 30000 */
  readonly ttlMs?: number | undefined;
  /** The name of the worker that answers, for people. */
  readonly owner?: string | undefined;
  /** When a growing answer is saved. @default { everyMs: 2000, everyChars: 16384 } */
  readonly checkpoint?: CheckpointOptions | undefined;
  readonly onSessionStart?: ((start: ConversationStart) => void | Promise<void>) | undefined;
  readonly onSessionEnd?: ((end: ConversationEnd) => void | Promise<void>) | undefined;
  /** Gets errors. It is not awaited, and its own errors are ignored. */
  readonly onError?: ((error: unknown, place: ErrorPlace) => void) | undefined;
  /** The clock; tests pass their own. @default systemClock */
  readonly clock?: Clock | undefined;
}

export const RESET_OPTIONS: OptionNames<ResetOptions> = {
  idleMs: true,
  daily: "object",
  turns: true,
  commands: "object",
  reply: "text",
  destroy: "boolean",
};

export const HISTORY_OPTIONS: OptionNames<HistoryOptions> = {
  maxMessages: true,
  maxTokens: true,
  countTokens: true,
  summarize: true,
  keepTokens: true,
};

export const BOT_SESSION_OPTIONS: OptionNames<BotSessionOptions> = {
  store: true,
  platform: true,
  account: true,
  scope: true,
  respond: true,
  config: true,
  identity: true,
  reset: true,
  history: true,
  busy: true,
  deadlineMs: true,
  ttlMs: true,
  owner: true,
  checkpoint: true,
  onSessionStart: true,
  onSessionEnd: true,
  onError: true,
  clock: "object",
};
