import type {
  ArchiveInfo,
  JsonObject,
  LastTurn,
  Parent,
  Ticket,
  TurnState,
} from "@sessions/protocol/backend";

/** Rows that no history holds, `from` up to and without `to`. */
export interface Garbage {
  readonly from: number;
  readonly to: number;
  /** A commit under way will use them, until this time. */
  readonly until?: number;
  /** The field that says so. */
  readonly reserved?: string;
}

/** What is small, and so can be written with every commit that is not a plain append: the field `z`. */
export interface SmallState {
  readonly createdAt: number;
  readonly title?: string | undefined;
  readonly expiresIn?: number | undefined;
  readonly renewOnUse?: boolean | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly counters: Readonly<Record<string, number>>;
  readonly parent?: Parent | undefined;
  readonly turn?: TurnState | undefined;
  readonly queue: readonly Ticket[];
  readonly lastTurn?: LastTurn | undefined;
  /** The last commit that rewrote messages. Sessions of earlier versions do not say. */
  readonly rewrittenAt?: number | undefined;
  /** The messages: runs of rows, the last one without an end. */
  readonly runs: readonly (readonly number[])[];
  readonly liveFrom: number;
  readonly partials: readonly string[];
  readonly garbage?: readonly Garbage[] | undefined;
  /** What a newer minor version wrote. */
  readonly unknownFields?: JsonObject | undefined;
}

/** A snapshot, in the field `y`. */
export interface SnapshotPart {
  /** What a newer minor version wrote. */
  readonly unknownFields?: JsonObject;
  readonly name: string;
  readonly createdAt: number;
  readonly revision: number;
  readonly messageCount: number;
  readonly runs: readonly (readonly number[])[];
  readonly liveFrom: number;
  readonly partials: readonly string[];
  readonly archives: readonly ArchiveInfo[];
}

/** What may be larger, and changes seldom: the field `y`. */
export interface Parts {
  readonly metadata: JsonObject;
  readonly archives: readonly ArchiveInfo[];
  readonly snapshots: readonly SnapshotPart[];
}
