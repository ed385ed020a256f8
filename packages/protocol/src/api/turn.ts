// Users whose own `lib` has no AsyncDisposable yet need this to compile against us.
/// <reference lib="esnext.disposable" preserve="true" />
import type { MessageInput } from "../message/message-input.js";
import type { OneOrMany } from "../operations/builders.js";
import type { ExtendInput, OperationInput } from "../operations/operation-input.js";
import type { Session } from "../session/session.js";
import type { MutationOptions, MutationResult } from "./mutation.js";
import type { SessionMessages } from "./queries.js";

/** How to begin a turn. */
export interface BeginTurnOptions {
  /** The turn's identity: a finished one is not run again. Generated where absent. */
  readonly turnId?: string | undefined;
  /** For people: who holds it. */
  readonly owner?: string | undefined;
  /** How long it lasts without a renewal. @default 30000 */
  readonly ttlMs?: number | undefined;
  /** How long to wait for others, in order of arrival. 0: TURN_BUSY at once. @default 0 */
  readonly waitMs?: number | undefined;
  /** Renew by itself until it ends. @default true */
  readonly renew?: boolean | undefined;
  /** Appended in the commit that begins the turn; their generated ids follow from a given `turnId`. */
  readonly messages?: OneOrMany<MessageInput> | undefined;
  /** Which messages the returned session holds. @default "all" */
  readonly select?: SessionMessages | undefined;
  /** Stops waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** How a turn that was not completed ends. */
export interface FailOptions extends MutationOptions {
  /** @default "failed" */
  readonly outcome?: "failed" | "interrupted" | undefined;
}

/** How a turn is completed. */
export interface CompleteOptions extends MutationOptions {
  /**
   * What becomes of messages that are still partial: finished as they are, or marked interrupted. @default "finish"
   */
  readonly drafts?: "finish" | "interrupt" | undefined;
}

/**
 * The lease on a session. Everything it writes fails with TURN_LOST once somebody else holds the session.
 *
 * It renews itself until `complete`, `fail` or `release` is called. If that call is rejected, the turn is not renewed any
 * more: it can be ended again within `ttlMs`, and expires otherwise.
 */
export interface Turn extends AsyncDisposable {
  /** May cross processes: any mutator takes it as `fence`. */
  readonly token: string;
  /** The turn's identity: the one that was given, or a generated one. */
  readonly turnId: string;
  /** The session that it holds. */
  readonly sessionId: string;
  /** Aborts when the turn is lost or interrupted; its reason is a TURN_LOST error that says which. */
  readonly signal: AbortSignal;
  /** By the store's clock, as of the last renewal. */
  readonly expiresAt: number;
  /** Adds messages, such as a draft with `status: "partial"`. */
  append(messages: OneOrMany<MessageInput>, options?: MutationOptions): Promise<MutationResult>;
  /** Appends reasoning, text or parts to a draft, at the cost of what is appended; `status: "complete"` finishes it. */
  extend(
    messageId: string,
    addition: Omit<ExtendInput, "op" | "messageId">,
    options?: MutationOptions,
  ): Promise<MutationResult>;
  /** Several changes in one atomic step; the turn goes on. */
  commit(ops: readonly OperationInput[], options?: MutationOptions): Promise<MutationResult>;
  /**
   * One commit: `ops` and the end of the turn. Messages that are still partial are finished, unless `drafts` says
   * otherwise. The same `turnId` will not run again.
   */
  complete(ops?: readonly OperationInput[], options?: CompleteOptions): Promise<MutationResult>;
  /**
   * One commit: `ops` and the end of the turn, with the reason. Its drafts become interrupted; the same `turnId` may
   * run again. `outcome` says whether it failed or was stopped.
   */
  fail(error: unknown, ops?: readonly OperationInput[], options?: FailOptions): Promise<MutationResult>;
  /** Ends the turn without a trace. */
  release(): Promise<void>;
  /** Keeps it for another `ttlMs`. */
  renew(): Promise<void>;
}

/** A turn to run, or the news that it has been run. */
export type BeginTurnResult =
  | { readonly status: "begun"; readonly turn: Turn; readonly session: Session }
  | { readonly status: "duplicate"; readonly session: Session; readonly turnId: string };

/** What `runTurn` did. */
export type RunTurnResult =
  | (MutationResult & { readonly status: "completed"; readonly turnId: string })
  | { readonly status: "duplicate"; readonly session: Session; readonly turnId: string };
