import type {
  Clock,
  CountTokens,
  OptionNames,
  SessionStore,
  SummaryTask,
} from "@sessions/protocol/integration";
import type { AgentConfig } from "@sessions/turn-runner";
import type { BotUpdate, Identity } from "./bot-update.js";
import type { Respond } from "./respond.js";

/** Whose conversation it is. Direct messages belong to their user in each case. */
export type BotScope = "user" | "chat" | "thread";

/** What happens to an update while another one of the conversation is being answered. */
export type BusyPolicy = "queue" | "merge" | "interrupt" | "reject";

/** When a conversation begins anew. It is judged when the next update comes, by what the store holds. */
export interface ResetOptions {
  /** After nothing was said for so long. */
  readonly idleMs?: number | undefined;
  /** Every day at this hour. */
  readonly daily?: { readonly hour: number; readonly timeZone: string } | undefined;
  /** After so many turns. */
  readonly turns?: number | undefined;
  /** What a user says to begin anew. @default ["/new"] */
  readonly commands?: readonly string[] | undefined;
  /** What such a user is told. @default "A new conversation." */
  readonly reply?: string | undefined;
  /** Delete the old conversation instead of archiving it. @default false */
  readonly destroy?: boolean | undefined;
}

/** How much of the conversation is handed to `respond`. Tool calls and their results stay together. */
export interface HistoryOptions {
  /** @default no limit */
  readonly maxMessages?: number | undefined;
  /** @default 100000 */
  readonly maxTokens?: number | undefined;
  /** @default estimateTokens */
  readonly countTokens?: CountTokens | undefined;
  /** Once the conversation passes `maxTokens`, its oldest messages are archived and this is asked for a summary. */
  readonly summarize?: ((task: SummaryTask) => Promise<string> | string) | undefined;
  /** How many tokens of newest messages stay when the others are archived. @default half of maxTokens */
  readonly keepTokens?: number | undefined;
}

/** Why a conversation ended. */
export type EndReason = "idle" | "daily" | "turns" | "command" | "reaped";

/** A conversation that begins or ends. */
export interface ConversationStart {
  readonly sessionId: string;
  /** `new`: there was none. `reset`: after another one of the same session. */
  readonly reason: "new" | "reset";
}

/** A conversation that ended. */
export interface ConversationEnd {
  readonly sessionId: string;
  readonly reason: EndReason;
  /** Where its messages are. Absent if there were none, or if they were destroyed. */
  readonly archiveId?: string;
}

/** Where something went wrong. */
export interface ErrorPlace {
  /** `turn`: the caller of `handle` gets the same error. `hook`, `warning`: nobody else is told. */
  readonly during: "turn" | "hook" | "warning";
  readonly sessionId?: string;
  readonly update?: BotUpdate;
}

/** How to make a bot session. */
export interface BotSessionOptions {
  readonly store: SessionStore;
  /** Part of every key: `telegram`, `slack`. */
  readonly platform: string;
  /** Part of every key: which of your bots or workspaces. @default none */
  readonly account?: string | undefined;
  readonly scope: BotScope;
  readonly respond: Respond;
  /** Handed to `respond`; a ready-made runner reads its model and instructions there. @default {} */
  readonly config?: AgentConfig | undefined;
  /**
   * Names a person whom you know from elsewhere; all who have the same name share one conversation. `undefined`: the
   * links count. Anything else but text that is not empty is INVALID_ARGUMENT.
   */
  readonly identity?: ((identity: Identity) => string | undefined | Promise<string | undefined>) | undefined;
  readonly reset?: ResetOptions | undefined;
  readonly history?: HistoryOptions | undefined;
  /** @default "queue" */
  readonly busy?: BusyPolicy | undefined;
  /** How long an update may take in all: waiting, and every function of yours, included. @default 120000 */
  readonly deadlineMs?: number | undefined;
  /** How long a turn's lease lasts without a renewal: how long a user waits after a crash. @default 30000 */
  readonly ttlMs?: number | undefined;
  /** For people: who answers. */
  readonly owner?: string | undefined;
  /** When a growing answer is saved. @default { everyMs: 2000, everyChars: 16384 } */
  readonly checkpoint?: { readonly everyMs?: number; readonly everyChars?: number } | undefined;
  readonly onSessionStart?: ((start: ConversationStart) => void | Promise<void>) | undefined;
  readonly onSessionEnd?: ((end: ConversationEnd) => void | Promise<void>) | undefined;
  /** Told of what went wrong, and not waited for. What it throws itself changes nothing. */
  readonly onError?: ((error: unknown, place: ErrorPlace) => void) | undefined;
  /** Time; tests hold it still. @default systemClock */
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
