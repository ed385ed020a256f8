import type { Json, Operation, StateImage } from "@sessions/protocol/backend";
import type { PartCount } from "./array-chunks.js";

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
interface Standing {
  /** The byte offset of this line. */
  readonly o: number;
  /** The checksum of the line before it that counts. */
  readonly p: string;
  /** Who wrote it: without this, two writers of the same commit could not tell whose line it is. */
  readonly w: string;
  /**
   * Where the oldest write of the same writer begins that the disk had not confirmed then, if that is not this line. A
   * gap from there on is no damage: nobody was told that it was written.
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
  /** Which arrays in `ops` stand in part lines before this line. */
  readonly parts?: readonly PartCount[];
}

/** The commits of one write: they are made durable together. */
interface CommitLine extends Standing {
  readonly commits: readonly CommitEntry[];
}

/** Elements of a long array that a later line of the same write puts together. */
interface PartLine extends Standing {
  readonly part: readonly unknown[];
}

/** The state that a segment begins with, instead of the commits that led to it. */
export interface BaseLine extends Standing {
  readonly base: StateImage;
  readonly parts?: readonly PartCount[];
}

/** The end of a segment: nothing after it counts, and the session goes on in the candidate that it names. */
interface SealLine extends Standing {
  readonly seal: string;
}

/** Every line after the header. */
export type JournalLine = CommitLine | PartLine | BaseLine | SealLine;

// A checksum that held says that we wrote the line; these tell the compiler what it is.

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
