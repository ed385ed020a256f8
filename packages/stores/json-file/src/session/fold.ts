import { applyCommit, type Finding, type SessionState, stateOfImage } from "@sessions/protocol/backend";
import { Damage, NewerJournal } from "./damage.js";
import { joined } from "./lines/array-chunks.js";
import { checksumIn, NO_SALT, type SealedLine, unsealed } from "./lines/checksummed-line.js";
import { requestOf } from "./lines/commit-entry.js";
import { hasUnwrittenSectors, isTorn, stumpBeforeRecord, TORN } from "./lines/crash-traces.js";
import { joinedCommits } from "./lines/join-commits.js";
import {
  type BaseLine,
  type CommitEntry,
  type HeaderLine,
  isHeader,
  isJournalLine,
  JOURNAL_VERSION,
  type JournalLine,
} from "./lines/journal-line.js";
import { Stumps } from "./lines/unfinished-lines.js";

/** A segment read up to a line end: the state that its lines come to. Goes on where it stopped. */
export class Fold {
  header: HeaderLine | undefined;
  state: SessionState | undefined;
  /** The end of the last whole line. */
  end = 0;
  /** The checksum of the last line that counts. */
  last = "";
  /** The candidate that the session goes on in: nothing after the seal counts. */
  sealedTo: string | undefined;
  /** Lines that do not count and need not: traces of crashes and of writers that came too late. */
  readonly benign: Finding[] = [];
  /** While somebody listens: every commit that counts. */
  onCommit: ((entry: CommitEntry) => void) | undefined;
  readonly #lineAt: (offset: number, length: number) => Buffer;
  #parts: (readonly unknown[])[] = [];
  readonly #late = new Set<string>();
  /** Where the last line ended that did not reach the disk, until a write after it counts. */
  #hole: number | undefined;
  /** The trace right before, to tell one that stands twice. */
  #trace: Buffer | undefined;
  /** Why reading stopped in the middle. The state is not that of the file then, and must not be used. */
  #failure: { readonly error: unknown } | undefined;
  readonly #stumps: Stumps;

  /** `lineAt` reads the segment again: what came too late is compared with what was there in time. */
  constructor(lineAt: (offset: number, length: number) => Buffer) {
    this.#lineAt = lineAt;
    this.#stumps = new Stumps(lineAt);
  }

  /** The part lines since the last line that was put together of parts. */
  get parts(): readonly (readonly unknown[])[] {
    return this.#parts;
  }

  /** Throws if reading has failed before, at this line or at an earlier one: damage does not pass by being seen. */
  requireSound(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
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

  #takeLines(bytes: Buffer): void {
    let from = 0;
    for (let newline = bytes.indexOf(10, from); newline >= 0; newline = bytes.indexOf(10, from)) {
      if (this.sealedTo === undefined) this.#line(bytes.subarray(from, newline));
      this.end += newline + 1 - from;
      from = newline + 1;
    }
  }

  /** Goes on past lines of one's own, without reading them again. */
  advance(
    torn: number,
    lines: readonly SealedLine[],
    state: SessionState | undefined,
    entries: readonly CommitEntry[],
  ): void {
    this.end += lines.reduce((sum, line) => sum + line.bytes.length, torn);
    this.last = lines.at(-1)?.checksum ?? this.last;
    this.state = state;
    this.#parts = [];
    this.#hole = undefined;
    this.#trace = undefined;
    for (const entry of entries) this.onCommit?.(entry);
  }

  #line(line: Buffer): void {
    if (this.header === undefined) this.#first(line);
    else if (!this.#read(this.header, line) && !this.#behindZeros(this.header, line))
      this.#unread(line, this.header);
  }

  /** `false` if it is no record. */
  #read(header: HeaderLine, line: Buffer): boolean {
    const read = unsealed(line, header.salt);
    if (read === undefined || !isJournalLine(read.value)) return false;
    this.#record(header, line, read.value, read.checksum);
    return true;
  }

  /** Zeros have no line end: what stands behind a write that did not reach the disk is a line of its own. */
  #behindZeros(header: HeaderLine, line: Buffer): boolean {
    const zeros = line.findIndex((byte) => byte !== 0);
    if (zeros <= 0 || unsealed(line.subarray(zeros), header.salt) === undefined) return false;
    this.#noteHole(line.subarray(0, zeros));
    this.end += zeros;
    const read = this.#read(header, line.subarray(zeros));
    this.end -= zeros;
    return read;
  }

  #record(header: HeaderLine, line: Buffer, record: JournalLine, checksum: string): void {
    this.#trace = undefined;
    if (record.o !== this.end) this.#overtaken(record, line);
    else if (record.p === this.last) this.#count(header, record, checksum);
    else this.#unlinked(record);
  }

  #first(line: Buffer): void {
    const read = unsealed(line, NO_SALT);
    if (read === undefined || !isHeader(read.value)) throw new Damage(this.end, "the header cannot be read");
    if (read.value.v > JOURNAL_VERSION) throw new NewerJournal(read.value.v);
    this.header = read.value;
    this.last = read.checksum;
  }

  /** No record. Traces of a crash do no harm; a doubled one would hide what follows, as if it had come too late. */
  #unread(line: Buffer, { salt }: HeaderLine): void {
    if (this.#trace?.equals(line)) throw new Damage(this.end, "a line stands here twice");
    if (!this.#unfinished(line, salt) && !this.#continued(line, salt))
      throw new Damage(this.end, "a line has a wrong checksum");
    this.#trace = Buffer.from(line);
  }

  /** Whether its writer could not finish it, or it did not reach the disk. */
  #unfinished(line: Buffer, salt: string): boolean {
    const stump = isTorn(line) ? line.length + 1 - TORN.length : stumpBeforeRecord(line, this.end, salt);
    if (isTorn(line)) this.#note("a line that its writer could not finish");
    else if (hasUnwrittenSectors(line, this.end)) this.#noteHole(line);
    else if (stump !== undefined)
      this.#note("a line that its writer could not finish, and one that came too late");
    else return false;
    if (stump !== undefined) this.#stumps.add(this.end, stump);
    return true;
  }

  #continued(line: Buffer, salt: string): boolean {
    const isRest = this.#stumps.isRest(line, salt);
    if (isRest) this.#note("the rest of a line that its writer went on with behind another's");
    return isRest;
  }

  /** A line that came too late stands behind the place that it names, once. Anything else was moved or copied. */
  #overtaken(record: JournalLine, line: Buffer): void {
    if (record.o > this.end) throw new Damage(this.end, "something before this line is missing");
    const name = `${record.o} ${record.w} ${checksumIn(line)}`;
    if (this.#late.has(name) || this.#lineAt(record.o, line.length).equals(line)) {
      throw new Damage(this.end, "a line stands here twice");
    }
    this.#late.add(name);
    this.#note("a line whose writer was overtaken");
  }

  /** The rest of a write whose beginning did not reach the disk. Nobody was told that it did. */
  #unlinked(record: JournalLine): void {
    if (this.#hole === undefined || record.b === undefined || record.b > this.#hole) {
      throw new Damage(this.end, "a line does not follow the one before it");
    }
    this.#note("the rest of a write that did not reach the disk");
  }

  #count(header: HeaderLine, record: JournalLine, checksum: string): void {
    if ("part" in record) this.#parts.push(record.part);
    else if ("base" in record) this.#begin(record);
    else if ("commits" in record) this.#apply(header, record.commits);
    else this.sealedTo = record.seal;
    if (!("part" in record)) this.#parts = [];
    this.#hole = undefined;
    this.last = checksum;
  }

  #begin(line: BaseLine): void {
    const whole = joined(line, this.#parts);
    if (this.state !== undefined || whole === undefined) {
      throw new Damage(this.end, "a state does not belong here");
    }
    this.state = stateOfImage(whole.base);
  }

  #apply({ id }: HeaderLine, commits: readonly CommitEntry[]): void {
    const entries = joinedCommits(commits, this.#parts);
    if (entries === undefined) throw new Damage(this.end, "parts of a commit are missing");
    for (const entry of entries) {
      const { outcome, state } = applyCommit(this.state, requestOf(id, entry));
      if (outcome.status !== "applied" || outcome.revision !== entry.r) {
        throw new Damage(this.end, `a commit does not lead to revision ${entry.r}`);
      }
      this.state = state;
      this.onCommit?.(entry);
    }
  }

  #noteHole(line: Buffer): void {
    this.#hole = this.end + line.length;
    this.#note("zeros where a write did not reach the disk");
  }

  #note(detail: string): void {
    this.benign.push({ severity: "benign", detail, location: `byte ${this.end}` });
  }
}
