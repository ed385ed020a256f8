import type { JsonObject } from "../json/json.js";
import type { ContentPart, MessageDraft } from "../message/message.js";
import type { SessionDocument } from "../session/session-document.js";
import type { TurnOperation } from "./turn-operation.js";

/** What to do with a message whose id the session holds with other content. Equal content is never added again. */
export type OnExisting = "fail" | "keep" | "replace";

/** How much of the live view a splice keeps: the first n messages, or those up to a message. */
export type Keep = number | { readonly through: string } | { readonly before: string };

/** A session from a whole state: a new one, a fork, an import. SESSION_EXISTS if there is one. */
interface CreateOperation {
  readonly op: "create";
  readonly document: SessionDocument;
}

/** The same onto an existing session, under `ifRevision`: it may jump revisions, never back. */
interface AdoptOperation {
  readonly op: "adopt";
  readonly document: SessionDocument;
}

/** Messages at the end of the live view. */
export interface AppendOperation {
  readonly op: "append";
  readonly messages: readonly MessageDraft[];
  readonly onExisting: OnExisting;
}

/** Truncates the live view, then appends. Replace, clear, pop and revert-to-message are all this. */
export interface SpliceOperation {
  readonly op: "splice";
  readonly keep: Keep;
  readonly messages: readonly MessageDraft[];
  /** Ends a turn of somebody else's instead of failing with TURN_BUSY. */
  readonly force?: boolean;
}

/** Messages by id, anywhere in the live view. */
export interface RemoveOperation {
  readonly op: "remove";
  readonly messageIds: readonly string[];
}

/** Replaces one live message; it keeps its place, and its time unless another is given. */
export interface UpdateOperation {
  readonly op: "update";
  readonly message: MessageDraft;
}

/**
 * Appends to one live message, at the cost of what is appended. The fields take effect in the order in which they
 * stand here.
 */
export interface ExtendOperation {
  readonly op: "extend";
  readonly messageId: string;
  /** Goes on with a trailing part of type `reasoning`, or begins one. */
  readonly reasoning?: string;
  /** Goes on with a trailing part of type `text` (or content that is a string), or begins one. */
  readonly text?: string;
  readonly parts?: readonly ContentPart[];
  /** Keys of the message's metadata. A `null` removes its key. */
  readonly metadata?: JsonObject;
  /** `complete` finishes a draft; absent leaves the status as it is. */
  readonly status?: "partial" | "interrupted" | "complete";
}

/** The live messages through `through` become an archive: a watermark moves, nothing is copied. */
export interface ArchiveOperation {
  readonly op: "archive";
  readonly archiveId: string;
  readonly through: string;
}

/** An archive's summary. The first `done` wins; a failure may be settled again. */
export type SettleArchiveOperation = {
  readonly op: "settle-archive";
  readonly archiveId: string;
} & (
  | { readonly summary: string; readonly error?: never }
  | { readonly error: string; readonly summary?: never }
);

/** Names the present messages and archives. */
export interface SnapshotOperation {
  readonly op: "snapshot";
  readonly name: string;
}

export interface DropSnapshotOperation {
  readonly op: "drop-snapshot";
  readonly name: string;
}

/** Back to the messages and archives of a snapshot. */
export interface RestoreOperation {
  readonly op: "restore";
  readonly name: string;
  /** Ends a turn of somebody else's instead of failing with TURN_BUSY. */
  readonly force?: boolean;
}

/** Title, labels, metadata keys, expiry. `null` removes. */
export interface SetOperation {
  readonly op: "set";
  readonly title?: string | null;
  readonly labels?: Readonly<Record<string, string | null>>;
  /** TOO_LARGE if the session would have more labels than this. */
  readonly maxLabels?: number;
  /** A `null` removes its key, so `null` itself is not a metadata value. */
  readonly metadata?: JsonObject;
  /** An absolute end; it takes the place of a relative one. */
  readonly expiresAt?: number | null;
  /** A relative end, in milliseconds: made absolute with the time of the commit. */
  readonly expiresIn?: number | null;
  /** Whether every use moves a relative end. */
  readonly renewOnUse?: boolean;
}

/** Adds to integer counters. */
export interface CountOperation {
  readonly op: "count";
  readonly deltas: Readonly<Record<string, number>>;
}

/** Leaves a tombstone, so that revisions never run backwards for this id. */
export interface DeleteOperation {
  readonly op: "delete";
}

/** One change to a session, as plain data. The set is closed: every store translates each of them. */
export type Operation =
  | CreateOperation
  | AdoptOperation
  | AppendOperation
  | SpliceOperation
  | RemoveOperation
  | UpdateOperation
  | ExtendOperation
  | ArchiveOperation
  | SettleArchiveOperation
  | SnapshotOperation
  | DropSnapshotOperation
  | RestoreOperation
  | SetOperation
  | CountOperation
  | TurnOperation
  | DeleteOperation;
