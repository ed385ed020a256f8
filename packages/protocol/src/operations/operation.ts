import type { JsonObject } from "../json/json.js";
import type { ContentPart, MessageDraft } from "../message/message.js";
import type { SessionDocument } from "../session/session-document.js";
import type { TurnOperation } from "./turn-operation.js";

/** What to do if the session has a message with the same id and other content. Equal content is never added again. */
export type OnExisting = "fail" | "keep" | "replace";

/** The live messages that a splice keeps: the first n, or those up to a message. */
export type Keep = number | { readonly through: string } | { readonly before: string };

/** Creates a session from a whole document: a new one, a fork, an import. SESSION_EXISTS if there is one. */
interface CreateOperation {
  readonly op: "create";
  readonly document: SessionDocument;
}

/** Replaces an existing session with a document, under `ifRevision`. The revision may jump forward, never back. */
interface AdoptOperation {
  readonly op: "adopt";
  readonly document: SessionDocument;
}

/** Adds messages at the end. */
export interface AppendOperation {
  readonly op: "append";
  readonly messages: readonly MessageDraft[];
  readonly onExisting: OnExisting;
}

/** Truncates the live messages, then appends. Replace, clear, pop and revert-to-message are splices. */
export interface SpliceOperation {
  readonly op: "splice";
  readonly keep: Keep;
  readonly messages: readonly MessageDraft[];
  /** Ends another holder's turn instead of failing with TURN_BUSY. */
  readonly force?: boolean;
}

/** Removes live messages by id. */
export interface RemoveOperation {
  readonly op: "remove";
  readonly messageIds: readonly string[];
}

/** Replaces one live message. It keeps its position, and its time unless the new message has one. */
export interface UpdateOperation {
  readonly op: "update";
  readonly message: MessageDraft;
}

/** Appends to one live message, at the cost of what is appended. The fields are applied in the order of this interface. */
export interface ExtendOperation {
  readonly op: "extend";
  readonly messageId: string;
  /** Appended to a trailing part of type `reasoning`, or to a new one. */
  readonly reasoning?: string;
  /** Appended to a trailing part of type `text` (or to content that is a string), or to a new part. */
  readonly text?: string;
  readonly parts?: readonly ContentPart[];
  /** Keys of the message's metadata. `null` removes a key. */
  readonly metadata?: JsonObject;
  /** `complete` finishes a draft. The status does not change if this is absent. */
  readonly status?: "partial" | "interrupted" | "complete";
}

/** The live messages up to and with `through` become an archive. A watermark moves, nothing is copied. */
export interface ArchiveOperation {
  readonly op: "archive";
  readonly archiveId: string;
  readonly through: string;
}

/** Settles an archive's summary. The first summary wins; a failure may be settled again. */
export type SettleArchiveOperation = {
  readonly op: "settle-archive";
  readonly archiveId: string;
} & (
  | { readonly summary: string; readonly error?: never }
  | { readonly error: string; readonly summary?: never }
);

/** Saves the present messages and archives under a name. */
export interface SnapshotOperation {
  readonly op: "snapshot";
  readonly name: string;
}

export interface DropSnapshotOperation {
  readonly op: "drop-snapshot";
  readonly name: string;
}

/** Returns to the messages and archives of a snapshot. */
export interface RestoreOperation {
  readonly op: "restore";
  readonly name: string;
  /** Ends another holder's turn instead of failing with TURN_BUSY. */
  readonly force?: boolean;
}

/** Sets title, labels, metadata keys or expiry. `null` removes. */
export interface SetOperation {
  readonly op: "set";
  readonly title?: string | null;
  readonly labels?: Readonly<Record<string, string | null>>;
  /** TOO_LARGE if the session would have more labels than this. */
  readonly maxLabels?: number;
  /** `null` removes a key, so `null` itself is not a metadata value. */
  readonly metadata?: JsonObject;
  /** An absolute expiry. It replaces a relative one. */
  readonly expiresAt?: number | null;
  /** A relative expiry in milliseconds, from the time of the commit. */
  readonly expiresIn?: number | null;
  /** Whether every use renews a relative expiry. */
  readonly renewOnUse?: boolean;
}

/** Adds to integer counters. */
export interface CountOperation {
  readonly op: "count";
  readonly deltas: Readonly<Record<string, number>>;
}

/** Deletes the session. A tombstone stays, so that the revisions of this id never decrease. */
export interface DeleteOperation {
  readonly op: "delete";
}

/** One change to a session, as plain data. The set is closed: every store supports all of them. */
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
