import { Damage } from "@sessions/protocol/backend";
import { checksumIn } from "./lines/checksummed-line.js";
import { hasUnwrittenSectors, isTorn, stumpBeforeRecord, TORN } from "./lines/crash-traces.js";
import type { JournalLine } from "./lines/journal-line.js";
import { UnfinishedLines } from "./lines/unfinished-lines.js";

/** A record whose checksum holds, and where it was found. */
export interface ReadRecord {
  readonly record: JournalLine;
  readonly checksum: string;
  /** Without its line end. */
  readonly line: Buffer;
  readonly offset: number;
}

/** The segment that the lines stand in. */
interface Segment {
  readonly path: string;
  readonly bytesAt: (offset: number, length: number) => Buffer;
  readonly onBenign: (detail: string, offset: number) => void;
}

/**
 * The lines of a segment that do not count and do no harm: traces of crashes, and of writers that came too late. Every
 * other line that does not count is damage, and is thrown.
 */
export class BenignLines {
  readonly #segment: Segment;
  readonly #unfinished: UnfinishedLines;
  readonly #late = new Set<string>();
  /** Where the last zeros ended, until a line after them counts. */
  #zerosEnd: number | undefined;
  /** The unreadable line right before. The same one again would be a copy. */
  #previous: Buffer | undefined;

  constructor(segment: Segment) {
    this.#segment = segment;
    this.#unfinished = new UnfinishedLines(segment.bytesAt);
  }

  /** A line that counts was read or written. */
  counted(): void {
    this.#zerosEnd = undefined;
    this.#previous = undefined;
  }

  /** Zeros stand here: a write did not reach the disk. */
  zeros(from: number, end: number): void {
    this.#zerosEnd = end;
    this.#segment.onBenign("zeros where a write did not reach the disk", from);
  }

  /** A line whose checksum does not hold. */
  explain(line: Buffer, offset: number, salt: string): void {
    if (this.#previous?.equals(line)) throw this.#damage(offset, "a line stands here twice");
    if (!this.#isUnfinished(line, offset, salt) && !this.#isRest(line, offset, salt))
      throw this.#damage(offset, "a line has a wrong checksum");
    this.#previous = Buffer.from(line);
  }

  /** A line of a writer that was overtaken stands behind the place that it names, once. */
  late({ record, line, offset }: ReadRecord): void {
    this.#previous = undefined;
    if (record.o > offset) throw this.#damage(offset, "something before this line is missing");
    const name = `${record.o} ${record.w} ${checksumIn(line)}`;
    if (this.#late.has(name) || this.#segment.bytesAt(record.o, line.length).equals(line))
      throw this.#damage(offset, "a line stands here twice");
    this.#late.add(name);
    this.#segment.onBenign("a line whose writer was overtaken", offset);
  }

  /** A line that does not follow the last one: the rest of a write that began in the zeros, and was not acknowledged. */
  unlinked({ record, offset }: ReadRecord): void {
    this.#previous = undefined;
    const isRestOfLost = this.#zerosEnd !== undefined && record.b !== undefined && record.b <= this.#zerosEnd;
    if (!isRestOfLost) throw this.#damage(offset, "a line does not follow the one before it");
    this.#segment.onBenign("the rest of a write that did not reach the disk", offset);
  }

  /** Whether its writer did not finish the line, or parts of it did not reach the disk. */
  #isUnfinished(line: Buffer, offset: number, salt: string): boolean {
    const { onBenign } = this.#segment;
    if (isTorn(line)) {
      onBenign("a line that its writer could not finish", offset);
      this.#unfinished.add(offset, line.length + 1 - TORN.length);
      return true;
    }
    const stump = stumpBeforeRecord(line, offset, salt);
    if (stump !== undefined) this.#unfinished.add(offset, stump);
    if (hasUnwrittenSectors(line, offset)) this.zeros(offset, offset + line.length);
    else if (stump !== undefined)
      onBenign("a line that its writer could not finish, and one that came too late", offset);
    else return false;
    return true;
  }

  #isRest(line: Buffer, offset: number, salt: string): boolean {
    const isRest = this.#unfinished.isRest(line, salt);
    if (isRest)
      this.#segment.onBenign("the rest of a line that its writer continued behind another's", offset);
    return isRest;
  }

  #damage(offset: number, problem: string): Damage {
    return new Damage(`${this.#segment.path} at byte ${offset}`, problem);
  }
}
