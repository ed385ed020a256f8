import type { OptionNames } from "../arguments/options.js";
import type { ListOrder } from "../backend/list-query.js";
import type { Message } from "../message/message.js";
import type { CountTokens } from "../message/text/token-counter.js";
import { READ_OPTIONS, type ReadOptions } from "./mutation.js";

/** Which live messages `getSession` returns. The selection is exact: it may separate a tool call from its result. */
export type SessionMessages = "all" | "none" | { readonly last: number } | { readonly after: string };

/** What `getSession` returns besides the session itself. */
export interface GetSessionOptions extends ReadOptions {
  /** @default "all" */
  readonly messages?: SessionMessages | undefined;
}

export const GET_SESSION_OPTIONS: OptionNames<GetSessionOptions> = { ...READ_OPTIONS, messages: true };

/** Which of the newest messages to return, in order. A tool call and its results are never separated. */
export interface HistoryQuery extends ReadOptions {
  /**
   * The maximum number of messages. If the newest tool call and its results are more, they are returned alone. 0
   * returns none.
   */
  readonly limit?: number | undefined;
  /** Only messages before this one. */
  readonly before?: string | undefined;
  /** Only messages after this one. */
  readonly after?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly maxTokens?: number | undefined;
  /** @default estimateTokens */
  readonly countTokens?: CountTokens | undefined;
}

export const HISTORY_QUERY: OptionNames<HistoryQuery> = {
  ...READ_OPTIONS,
  limit: true,
  before: true,
  after: true,
  roles: true,
  maxTokens: true,
  countTokens: true,
};

/** Which sessions to list. */
export interface ListSessionsQuery extends ReadOptions {
  /** Sessions that have all of these labels. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Forks of this session. */
  readonly parent?: string | undefined;
  readonly updatedSince?: number | Date | undefined;
  /** @default "updated-desc" */
  readonly order?: ListOrder | undefined;
  /** Per page. @default 50 */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** The metadata keys to return with each session. */
  readonly metadata?: readonly string[] | undefined;
}

export const LIST_SESSIONS_QUERY: OptionNames<ListSessionsQuery> = {
  ...READ_OPTIONS,
  labels: true,
  parent: true,
  updatedSince: true,
  order: true,
  limit: true,
  cursor: true,
  metadata: true,
};

/** How much stays live. If both are absent, everything is archived. */
export interface ArchiveQuery {
  readonly keepRecent?: number | undefined;
  readonly keepTokens?: number | undefined;
  readonly countTokens?: CountTokens | undefined;
}

export const ARCHIVE_QUERY: OptionNames<ArchiveQuery> = {
  keepRecent: true,
  keepTokens: true,
  countTokens: true,
};

/** The size of a context. */
export interface ContextQuery extends ReadOptions {
  readonly maxTokens: number;
  /** @default estimateTokens */
  readonly countTokens?: CountTokens | undefined;
}

export const CONTEXT_QUERY: OptionNames<ContextQuery> = {
  ...READ_OPTIONS,
  maxTokens: true,
  countTokens: true,
};

/** What to send to a model, and what did not fit. */
export interface Context {
  /** Summaries of finished archives as `system` messages, then the newest messages, in order. */
  readonly messages: Message[];
  readonly tokens: number;
  /** What was left out, the oldest first. */
  readonly omitted: {
    /** Finished archives whose summaries did not fit. */
    readonly archiveIds: string[];
    /** Messages that no summary covers and that did not fit. */
    readonly messages: number;
  };
}

/** Where to fork, and the fork's own fields. */
export interface ForkOptions {
  /** The last message to copy, or the snapshot to start from. @default everything */
  readonly at?: string | { readonly snapshot: string } | undefined;
  /** @default generated */
  readonly newId?: string | undefined;
  readonly title?: string | undefined;
  /** Merged into the parent's metadata. `null` removes a key. */
  readonly metadata?: object | undefined;
}

export const FORK_OPTIONS: OptionNames<ForkOptions> = {
  at: true,
  newId: true,
  title: true,
  metadata: true,
};
