import type { SessionState } from "@sessions/protocol/backend";
import { checksumIn, parseChecksummed } from "../session/lines/checksummed-line.js";
import { hasUnwrittenSectors, isTorn, stumpBeforeRecord } from "../session/lines/crash-traces.js";
import { type CommitEntry, isJournalLine, type JournalLine } from "../session/lines/journal-line.js";
import { type KeptLine, keptCommits, type NamedCommit } from "./kept-commits.js";

/** What the sound lines before the damage have left. */
export interface DamageStart {
  readonly salt: string;
  /** The checksum of the last sound line. */
  readonly last: string;
  /** The checksums of all lines before the damage. */
  readonly before: ReadonlySet<string>;
  readonly chunks: readonly (readonly unknown[])[];
}

/** What is kept of the lines behind damage. */
export interface Kept {
  readonly commits: readonly CommitEntry[];
  /** Commits whose names can be read in lines that cannot. */
  readonly unreadable: readonly NamedCommit[];
  /** The state that the segment begins with, where that line stands behind the damage. */
  readonly base: SessionState | undefined;
}

const RECORD_START = Buffer.from('{"o":');

/**
 * Reads the lines behind damage. A line whose own checksum holds is kept if it belongs to the journal. That is so if
 *
 * 1. it does not stand behind the byte that it names: only a writer that came too late leaves its line further behind, and
 *    such a line never counted;
 * 2. it names the line before it, by the checksum which that line carries, whether that line can be read or not;
 * 3. it is the first one behind a line that cannot be read, and names a checksum that no line carries: that of what was lost;
 * 4. a line that is kept names it.
 */
export class BehindDamage {
  readonly #start: DamageStart;
  readonly #lines: (KeptLine & { isKept: boolean })[] = [];
  readonly #unreadable: NamedCommit[] = [];
  readonly #carried: Set<string>;
  /** The checksum that the line before carries. */
  #last: string | undefined;
  #isBehindUnreadable = false;
  #hole: number | undefined;

  constructor(start: DamageStart) {
    this.#start = start;
    this.#last = start.last;
    this.#carried = new Set(start.before);
  }

  /** Takes a line without its end. `false` if it is damage itself: no record, and no trace of a crash. */
  take(line: Buffer, offset: number): boolean {
    const record = this.#recordIn(line);
    if (record !== undefined) {
      this.#record(record, checksumIn(line) ?? "", offset);
      return true;
    }
    const second = this.#secondIn(line, offset);
    if (second === undefined) return this.#unread(line, offset);
    // The line end between two records is damaged or missing: each of them may be sound.
    this.take(line.subarray(0, second.end), offset);
    this.take(line.subarray(second.at), offset + second.at);
    return false;
  }

  /** When all lines were taken. */
  kept(): Kept {
    const named = new Map(this.#lines.map((line) => [line.checksum, line]));
    for (const line of this.#lines.toSorted((a, b) => b.record.o - a.record.o)) {
      const before = line.isKept ? named.get(line.record.p) : undefined;
      if (before !== undefined) before.isKept = true;
    }
    const kept = this.#lines.filter(({ isKept }) => isKept).toSorted((a, b) => a.record.o - b.record.o);
    return keptCommits(kept, this.#start, this.#unreadable);
  }

  #recordIn(line: Buffer): JournalLine | undefined {
    const value = parseChecksummed(line, this.#start.salt)?.value;
    return isJournalLine(value) ? value : undefined;
  }

  #secondIn(line: Buffer, offset: number): { readonly at: number; readonly end: number } | undefined {
    for (let at = line.indexOf(RECORD_START, 1); at > 0; at = line.indexOf(RECORD_START, at + 1)) {
      const end = (this.#recordIn(line.subarray(at))?.o ?? 0) - offset - 1;
      if (end === at - 1 || end === at) return { at, end };
    }
    return undefined;
  }

  #unread(line: Buffer, offset: number): boolean {
    if (hasUnwrittenSectors(line, offset)) {
      this.#hole = offset + line.length;
      return true;
    }
    if (isTorn(line) || stumpBeforeRecord(line, offset, this.#start.salt) !== undefined) return true;
    const carried = checksumIn(line);
    const isRecord = line.subarray(0, RECORD_START.length).equals(RECORD_START);
    if (isRecord || carried !== undefined) this.#last = carried;
    this.#isBehindUnreadable = true;
    this.#unreadable.push(...namesIn(line));
    return false;
  }

  #record(record: JournalLine, checksum: string, offset: number): void {
    const isNext = record.p === this.#last || (this.#isBehindUnreadable && !this.#carried.has(record.p));
    const isKept = isNext || (record.o >= offset && !this.#isRestOfLostWrite(record));
    this.#lines.push({ record, checksum, isKept });
    this.#carried.add(checksum);
    if (!isKept) return;
    this.#last = checksum;
    this.#isBehindUnreadable = false;
    this.#hole = undefined;
  }

  /** The beginning of that write did not reach the disk, so it was not acknowledged, and may have been sent again. */
  #isRestOfLostWrite({ b }: JournalLine): boolean {
    return this.#hole !== undefined && b !== undefined && b <= this.#hole;
  }
}

/** Inside a string every quote is escaped, so this is where a commit begins, as far as the line can be trusted. */
function namesIn(line: Buffer): readonly NamedCommit[] {
  const found = line.toString("utf8").matchAll(/[[,]\{"r":(\d{1,15}),"k":"([^"\\]*)"/g);
  return [...found].map(([, revision, commitId = ""]) => ({ revision: Number(revision), commitId }));
}
