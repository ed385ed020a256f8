import type { ExtendOperation, Message } from "@sessions/protocol/backend";
import type { Run } from "../runs/runs.js";
import type { ForgetLimit, MemoryKind } from "../session/session-rows.js";
import type { StoredMessage } from "../session/stored-message.js";
import type { PartRow } from "../session/stored-parts.js";
import type { StoredLive, StoredTombstone } from "../session/stored-session.js";

/** A message that is written to a row. */
export interface MessageWrite {
  readonly row: number;
  readonly message: Message;
  readonly revision: number;
}

/** An extension of a draft, which is a row of its own until the draft is complete. */
export interface ExtensionWrite {
  /** The draft's row. */
  readonly row: number;
  /** The number of the extension, from 0. */
  readonly n: number;
  /** The revision that wrote it. */
  readonly revision: number;
  readonly op: ExtendOperation;
}

/** An entry of a memory. */
export interface MemoryWrite {
  readonly n: number;
  readonly id: string;
  readonly at: number;
  readonly body: string;
}

/** What is written of one memory, in this order. */
export interface MemoryPlan {
  readonly kind: MemoryKind;
  /** Whether everything that is stored goes first. */
  readonly clears: boolean;
  readonly add: readonly MemoryWrite[];
  /** Entries that are forgotten. */
  readonly forget: ForgetLimit | undefined;
}

/** What a store writes of a live session, in one atomic step. */
export interface LivePlan {
  readonly stored: StoredLive;
  /** Whether this is another session than the one that was stored under the id: of that one nothing but memories stays. */
  readonly isNewLife: boolean;
  /** New rows. */
  readonly inserts: readonly MessageWrite[];
  /** Drafts that are complete or were replaced. Their extensions go. */
  readonly rewrites: readonly MessageWrite[];
  readonly extensions: readonly ExtensionWrite[];
  /** The drafts that were written, as they are now, by their rows. */
  readonly drafts: ReadonlyMap<number, StoredMessage>;
  /** Rows that the session no longer refers to. */
  readonly released: readonly Run[];
  readonly parts: { readonly put: readonly PartRow[]; readonly remove: readonly number[] };
  readonly memories: readonly MemoryPlan[];
}

/** What a store writes of a session that has ended: of its rows and parts nothing stays. */
export interface EndPlan {
  readonly stored: StoredTombstone;
  readonly memories: readonly MemoryPlan[];
}
