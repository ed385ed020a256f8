import type { Operation, SessionState } from "@sessions/protocol/backend";
import type { Moment, Present } from "./moment.js";
import type { StoredMessage } from "./row-text.js";
import type { StagedMessages } from "./staged.js";
import type { Garbage } from "./stored-state.js";

export type Pair = readonly [string, string];
export type MemoryText = readonly [id: string, at: string, text: string];

/** A session as it is once it is written. */
export interface Written {
  readonly present: Present;
  readonly rows: readonly { readonly row: number; readonly stored: StoredMessage; readonly size: number }[];
}

/** What a commit writes: everything that the script needs. */
export interface Patch {
  readonly isLive: boolean;
  readonly revision: number;
  readonly at: number;
  readonly isTold: boolean;
  /** Nothing that is there stays. */
  readonly isNewLife: boolean;
  readonly stagedKey: string | undefined;
  readonly fields: readonly Pair[];
  readonly dropped: readonly string[];
  readonly lines: readonly Pair[];
  readonly messageRows: readonly (readonly [id: string, row: string])[];
  readonly windowFields: readonly Pair[];
  readonly windowDropped: readonly string[];
  readonly given: readonly MemoryText[];
  readonly turns: readonly MemoryText[];
  readonly turnHorizon: number;
  readonly expiresAt: number | undefined;
  /** Set where all given commits are written anew. */
  readonly givenHorizon: number | undefined;
  /** When the session and its window expire: `keep`, "" for never. */
  readonly expiry: string;
  readonly windowExpiry: string;
  /** How the session is in memory once it is written. */
  readonly remembered: Written | undefined;
  /** Rows that nobody holds now. */
  readonly garbage: readonly Garbage[];
}

/** What a patch is made of. */
export interface Change {
  readonly moment: Moment;
  readonly after: SessionState;
  /** What was applied. */
  readonly ops: readonly Operation[];
  readonly staged: StagedMessages | undefined;
  readonly at: number;
  /** Until when the index need not be told of changes. */
  readonly lease: number;
  /** A text that was never used before. */
  readonly nonce: () => string;
}
