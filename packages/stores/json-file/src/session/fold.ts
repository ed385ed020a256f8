import { applyCommit, Damage, type SessionState, stateOfImage } from "@sessions/protocol/backend";
import { newerFormat } from "../error-mapping.js";
import { BenignLines, type ReadRecord } from "./benign-lines.js";
import { joinArrays } from "./lines/array-chunks.js";
import { type ChecksummedLine, NO_SALT, parseChecksummed, trailerOf } from "./lines/checksummed-line.js";
import { requestOf } from "./lines/commit-entry.js";
import { joinCommits } from "./lines/join-commits.js";
import {
  type BaseLine,
  type CommitEntry,
  type HeaderLine,
  isHeader,
  isJournalLine,
  JOURNAL_VERSION,
} from "./lines/journal-line.js";

/** The segment that is folded. */
export interface FoldSource {
  readonly path: string;
  /** Reads the segment again: a late line is compared with the one that was in time. */
  readonly bytesAt: (offset: number, length: number) => Buffer;
  /** Called for each line that does not count and does no harm. */
  readonly onBenign?: (detail: string, offset: number) => void;
}

/** Lines that this process has appended, and the state that they lead to. */
export interface OwnLines {
  /** How many bytes stand between the end of the last whole line and the first of these. */
  readonly skipped: number;
  readonly lines: readonly ChecksummedLine[];
  readonly state: SessionState | undefined;
  readonly entries: readonly CommitEntry[];
}

/** A segment read up to the end of a line, and the state that its lines lead to. Continues where it stopped. */
export class Fold {
  header: HeaderLine | undefined;
  state: SessionState | undefined;
  /** The end of the last whole line. */
  end = 0;
  /** The checksum of the last line that counts. */
  last = "";
  /** The candidate that the session continues in: nothing after the seal counts. */
  sealedTo: string | undefined;
  /** Called for each commit that counts. */
  onCommit: ((entry: CommitEntry) => void) | undefined;
  readonly #path: string;
  readonly #benign: BenignLines;
  /** Line 1 as it stands in the file, byte by byte. */
  #header = "";
  /** The end of the last line that counts. */
  #lastEnd = 0;
  #chunks: (readonly unknown[])[] = [];
  /** Why reading stopped in the middle. The state is not that of the file then, and must not be used. */
  #failure: { readonly error: unknown } | undefined;

  constructor({ path, bytesAt, onBenign = () => undefined }: FoldSource) {
    this.#path = path;
    this.#benign = new BenignLines({ path, bytesAt, onBenign });
  }

  /** The chunk lines since the last line that was put together from chunks. */
  get chunks(): readonly (readonly unknown[])[] {
    return this.#chunks;
  }

  /** Throws if reading has failed before: damage stays until the file is read from its start. */
  requireSound(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Whether a file has the same header (id, number and salt) and the same last line in the same place. */
  isFoldOf(bytesAt: FoldSource["bytesAt"]): boolean {
    const trailer = trailerOf(this.last);
    const isAt = (offset: number, text: string): boolean =>
      bytesAt(offset, text.length).toString("latin1") === text;
    return isAt(0, this.#header) && isAt(this.#lastEnd - trailer.length, trailer);
  }

  /** Takes the next bytes of the file, from `end` on. An unfinished line at their end is left for later. */
  take(bytes: Buffer): void {
    this.requireSound();
    try {
      this.#takeLines(bytes);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** Continues behind lines that this process has written, without reading them again. */
  advance({ skipped, lines, state, entries }: OwnLines): void {
    this.end += lines.reduce((sum, line) => sum + line.bytes.length, skipped);
    this.last = lines.at(-1)?.checksum ?? this.last;
    this.#lastEnd = this.end;
    this.state = state;
    this.#chunks = [];
    this.#benign.counted();
    for (const entry of entries) this.onCommit?.(entry);
  }

  #takeLines(bytes: Buffer): void {
    let from = 0;
    for (let newline = bytes.indexOf(10, from); newline >= 0; newline = bytes.indexOf(10, from)) {
      if (this.sealedTo === undefined) this.#line(bytes.subarray(from, newline));
      this.end += newline + 1 - from;
      from = newline + 1;
    }
  }

  #line(line: Buffer): void {
    if (this.header === undefined) this.#first(line);
    else if (!this.#read(this.header, line, this.end) && !this.#behindZeros(this.header, line))
      this.#benign.explain(line, this.end, this.header.salt);
  }

  #first(line: Buffer): void {
    const read = parseChecksummed(line, NO_SALT);
    if (read === undefined || !isHeader(read.value)) throw this.#damage(0, "the header cannot be read");
    if (read.value.v > JOURNAL_VERSION) throw newerFormat(read.value.v, this.#path);
    this.header = read.value;
    this.#header = line.toString("latin1");
    this.last = read.checksum;
    this.#lastEnd = line.length + 1;
  }

  /** `false` if it is no record. */
  #read(header: HeaderLine, line: Buffer, offset: number): boolean {
    const read = parseChecksummed(line, header.salt);
    if (read === undefined || !isJournalLine(read.value)) return false;
    this.#record(header, { record: read.value, checksum: read.checksum, line, offset });
    return true;
  }

  /** Zeros have no line end: a line behind a write that did not reach the disk begins in the middle of one. */
  #behindZeros(header: HeaderLine, line: Buffer): boolean {
    const zeros = line.findIndex((byte) => byte !== 0);
    if (zeros <= 0 || parseChecksummed(line.subarray(zeros), header.salt) === undefined) return false;
    this.#benign.zeros(this.end, this.end + zeros);
    return this.#read(header, line.subarray(zeros), this.end + zeros);
  }

  #record(header: HeaderLine, read: ReadRecord): void {
    if (read.record.o !== read.offset) this.#benign.late(read);
    else if (read.record.p !== this.last) this.#benign.unlinked(read);
    else this.#count(header, read);
  }

  #count(header: HeaderLine, { record, checksum, line, offset }: ReadRecord): void {
    if ("part" in record) this.#chunks.push(record.part);
    else if ("base" in record) this.#begin(record, offset);
    else if ("commits" in record) this.#apply(header, record.commits, offset);
    else this.sealedTo = record.seal;
    if (!("part" in record)) this.#chunks = [];
    this.#benign.counted();
    this.last = checksum;
    this.#lastEnd = offset + line.length + 1;
  }

  #begin(line: BaseLine, offset: number): void {
    const whole = joinArrays(line, this.#chunks);
    if (this.state !== undefined || whole === undefined)
      throw this.#damage(offset, "a state does not belong here");
    this.state = stateOfImage(whole.base);
  }

  #apply({ id }: HeaderLine, commits: readonly CommitEntry[], offset: number): void {
    const entries = joinCommits(commits, this.#chunks);
    if (entries === undefined) throw this.#damage(offset, "parts of a commit are missing");
    for (const entry of entries) {
      const { outcome, state } = applyCommit(this.state, requestOf(id, entry));
      if (outcome.status !== "applied" || outcome.revision !== entry.r)
        throw this.#damage(offset, `a commit does not lead to revision ${entry.r}`);
      this.state = state;
      this.onCommit?.(entry);
    }
  }

  #damage(offset: number, problem: string): Damage {
    return new Damage(`${this.#path} at byte ${offset}`, problem);
  }
}
