import type { Json, Operation, StateImage } from "@sessions/protocol/backend";
import type { ChunkCount } from "./array-chunks.js";

/** The newest journal format that this version reads and writes. */
export const JOURNAL_VERSION = 1;

/** The first line of a segment: what it is, whose it is, and the salt that seeds every checksum after it. */
export interface HeaderLine {
  readonly format: "sessions-journal";
  readonly v: number;
  readonly id: string;
  /** Which segment this is: 1 for a new session, one more with each rotation. */
  readonly g: number;
  readonly salt: string;
}

/** Where a line stands. It counts only there, and only after the line that it names. */
interface Position {
  /** The byte offset of this line. */
  readonly o: number;
  /** The checksum of the line before it that counts. */
  readonly p: string;
  /** The writer: two writers of the same commit would otherwise write the same line. */
  readonly w: string;
  /**
   * Where the oldest write of the same writer begins that the disk had not confirmed then, if that is not this line. A
   * gap from there on is no damage: nothing in it was acknowledged.
   */
  readonly b?: number;
}

/** One commit, by short names because there are many. */
export interface CommitEntry {
  /** The revision after it. */
  readonly r: number;
  /** The commit id. */
  readonly k: string;
  /** Its time. */
  readonly t: number;
  /** The digest of what the caller gave. */
  readonly d?: string;
  /** The turn token that its writer held. */
  readonly f?: string;
  /** The receipt. */
  readonly x?: Json;
  /** The reading of the clock that leases are measured by: its domain and the time. */
  readonly l?: readonly [string, number];
  /** Leases that the writer had seen unchanged for their whole time to live: token and renewals of each. */
  readonly s?: readonly (readonly [string, number])[];
  readonly ops: readonly Operation[];
  /** Which arrays in `ops` stand in chunk lines before this line. */
  readonly parts?: readonly ChunkCount[];
}

/** Commits that are made durable together. */
interface CommitLine extends Position {
  readonly commits: readonly CommitEntry[];
}

/** Elements of a long array, for a later line of the same write. */
interface ChunkLine extends Position {
  readonly part: readonly unknown[];
}

/** The state that a segment begins with, instead of the commits that led to it. */
export interface BaseLine extends Position {
  readonly base: StateImage;
  readonly parts?: readonly ChunkCount[];
}

/** The end of a segment: nothing after it counts, and the session continues in the candidate that it names. */
interface SealLine extends Position {
  readonly seal: string;
}

/** Every line after the header. */
export type JournalLine = CommitLine | ChunkLine | BaseLine | SealLine;

// The checksum has proved that a store wrote the line, so one property tells what it is.

export function isHeader(value: unknown): value is HeaderLine {
  return (
    typeof value === "object" && value !== null && "format" in value && value.format === "sessions-journal"
  );
}

export function isJournalLine(value: unknown): value is JournalLine {
  return (
    typeof value === "object" &&
    value !== null &&
    "o" in value &&
    ("commits" in value || "part" in value || "base" in value || "seal" in value)
  );
}
