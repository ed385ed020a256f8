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
  /** Identifies the turn. A turn that completed is not run again. @default generated */
  readonly turnId?: string | undefined;
  /** The name of the holder, for display. */
  readonly owner?: string | undefined;
  /** How long the turn lasts without a renewal. @default 30000 */
  readonly ttlMs?: number | undefined;
  /** How long to wait for other turns, in order of arrival. 0 fails with TURN_BUSY at once. @default 0 */
  readonly waitMs?: number | undefined;
  /** Whether the turn is renewed automatically until it ends. @default true */
  readonly renew?: boolean | undefined;
  /** Appended in the commit that begins the turn. With a `turnId`, their generated ids are derived from it. */
  readonly messages?: OneOrMany<MessageInput> | undefined;
  /** Which messages the returned session contains. @default "all" */
  readonly select?: SessionMessages | undefined;
  /** Stops waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of `fail`. */
export interface FailOptions extends MutationOptions {
  /** @default "failed" */
  readonly outcome?: "failed" | "interrupted" | undefined;
}

/** The options of `complete`. */
export interface CompleteOptions extends MutationOptions {
  /** Whether messages that are still partial become complete or interrupted. @default "finish" */
  readonly drafts?: "finish" | "interrupt" | undefined;
}

/**
 * A lease on a session. Every write through it fails with TURN_LOST once the turn was taken over or has ended.
 *
 * It renews itself until `complete`, `fail` or `release` is called. If that call is rejected, the turn is no longer
 * renewed: it can be ended again within `ttlMs`, and expires otherwise.
 */
export interface Turn extends AsyncDisposable {
  /** Every mutating method accepts it as `fence`, also in another process. */
  readonly token: string;
  /** The `turnId` of the options, or a generated one. */
  readonly turnId: string;
  /** The session of the turn. */
  readonly sessionId: string;
  /** Aborts when the turn is lost or interrupted. Its reason is a TURN_LOST error with the cause in `reason`. */
  readonly signal: AbortSignal;
  /** When the lease expires, by the store's clock, as of the last renewal. */
  readonly expiresAt: number;
  /** Adds messages, such as a draft with `status: "partial"`. */
  append(messages: OneOrMany<MessageInput>, options?: MutationOptions): Promise<MutationResult>;
  /** Appends reasoning, text or parts to a draft, at the cost of what is appended. `status: "complete"` finishes it. */
  extend(
    messageId: string,
    addition: Omit<ExtendInput, "op" | "messageId">,
    options?: MutationOptions,
  ): Promise<MutationResult>;
  /** Commits several operations in one atomic step. The turn continues. */
  commit(ops: readonly OperationInput[], options?: MutationOptions): Promise<MutationResult>;
  /**
   * Ends the turn, in one commit with `ops`. Messages that are still partial are finished, unless `drafts` says
   * otherwise. The same `turnId` is not run again.
   */
  complete(ops?: readonly OperationInput[], options?: CompleteOptions): Promise<MutationResult>;
  /**
   * Ends the turn with an error, in one commit with `ops`. Its drafts become interrupted, and the same `turnId` may run
   * again. `outcome` says whether it failed or was interrupted.
   */
  fail(error: unknown, ops?: readonly OperationInput[], options?: FailOptions): Promise<MutationResult>;
  /** Ends the turn without recording an outcome. */
  release(): Promise<void>;
  /** Extends the lease to `ttlMs` from now. */
  renew(): Promise<void>;
}

/** A turn that has begun, or a duplicate of one that has completed. */
export type BeginTurnResult =
  | { readonly status: "begun"; readonly turn: Turn; readonly session: Session }
  | { readonly status: "duplicate"; readonly session: Session; readonly turnId: string };

/** The result of `runTurn`. */
export type RunTurnResult =
  | (MutationResult & { readonly status: "completed"; readonly turnId: string })
  | { readonly status: "duplicate"; readonly session: Session; readonly turnId: string };
