import { applyCommit, type Finding, type SessionState } from "@sessions/protocol";
import { type CommitRecord, type Header, NO_SALT, requestOf, type Sealed, unseal } from "./record.js";

/** The newest journal format that this version reads and writes. */
export const JOURNAL_VERSION = 1;

/** Ends a line that its writer could not finish: with this it is no record, whatever it began with. */
export const TORN: Buffer = Buffer.from("#torn\n");

/** Damage: a line that should count and does not. */
export class Damage extends Error {
  readonly offset: number;

  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

/** A journal of a newer format. */
export class NewerJournal extends Error {
  readonly version: number;

  constructor(version: number) {
    super(`journal format ${version}`);
    this.version = version;
  }
}

/** A journal read up to a line end: the state that its records come to. Goes on where it stopped. */
export class Fold {
  header: Header | undefined;
  state: SessionState | undefined;
  /** The end of the last whole line. */
  end = 0;
  /** The checksum of the last record that counts. */
  last = "";
  /** Lines that do not count and need not: traces of crashes and of writers that came too late. */
  readonly benign: Finding[] = [];
  /** The checksum of each record that counts, by its offset. */
  readonly #counted = new Map<number, string>();
  readonly #late = new Set<string>();

  /** Takes the next bytes of the file, from `end` on. An unfinished line at their end is left for later. */
  take(bytes: Buffer): void {
    let from = 0;
    for (let newline = bytes.indexOf(10, from); newline >= 0; newline = bytes.indexOf(10, from)) {
      this.#line(bytes.subarray(from, newline));
      this.end += newline + 1 - from;
      from = newline + 1;
    }
  }

  #line(line: Buffer): void {
    if (this.header === undefined) this.#first(line);
    else if (isTorn(line)) this.#note("a line that its writer could not finish");
    else if (line.every((byte) => byte === 0)) this.#note("zeros where a write did not reach the disk");
    else this.#record(line, this.header);
  }

  #first(line: Buffer): void {
    const sealed = unseal(line, NO_SALT);
    if (sealed === undefined || !isHeader(sealed.value))
      throw new Damage(this.end, "the header cannot be read");
    if (sealed.value.v > JOURNAL_VERSION) throw new NewerJournal(sealed.value.v);
    this.header = sealed.value;
    this.last = sealed.checksum;
  }

  #record(line: Buffer, header: Header): void {
    const sealed = unseal(line, header.salt);
    if (sealed === undefined || !isRecord(sealed.value))
      throw new Damage(this.end, "a line has a wrong checksum");
    const record = sealed.value;
    if (record.o === this.end) this.#apply(header, record, sealed.checksum);
    else this.#overtaken(record, sealed.checksum);
  }

  /** A record that came too late stands behind the place that it names, once. Anything else was moved or copied. */
  #overtaken(record: CommitRecord, checksum: string): void {
    const line = `${record.o} ${record.w} ${checksum}`;
    if (record.o > this.end) throw new Damage(this.end, "something before this line is missing");
    if (this.#counted.get(record.o) === checksum || this.#late.has(line))
      throw new Damage(this.end, "a line stands here twice");
    this.#late.add(line);
    this.#note("a record whose writer was overtaken");
  }

  #apply(header: Header, record: CommitRecord, checksum: string): void {
    if (record.p !== this.last) throw new Damage(this.end, "a record does not follow the one before it");
    const { outcome, state } = applyCommit(this.state, requestOf(header.id, record));
    if (outcome.status !== "applied" || outcome.revision !== record.r) {
      throw new Damage(this.end, `a record does not lead to revision ${record.r}`);
    }
    this.state = state;
    this.#count(checksum);
  }

  /** Goes on past lines of one's own, without reading them again. */
  advance(state: SessionState | undefined, torn: number, lines: readonly Sealed[]): void {
    this.state = state;
    this.end += torn;
    for (const { bytes, checksum } of lines) {
      this.#count(checksum);
      this.end += bytes.length;
    }
  }

  #count(checksum: string): void {
    this.#counted.set(this.end, checksum);
    this.last = checksum;
  }

  #note(detail: string): void {
    this.benign.push({ severity: "benign", detail, location: `byte ${this.end}` });
  }
}

function isTorn(line: Buffer): boolean {
  return line.subarray(-(TORN.length - 1)).equals(TORN.subarray(0, -1));
}

// Its checksum held, so it is what we wrote; this tells the compiler what that is.
function isHeader(value: unknown): value is Header {
  return (
    typeof value === "object" && value !== null && "format" in value && value.format === "sessions-journal"
  );
}

function isRecord(value: unknown): value is CommitRecord {
  return typeof value === "object" && value !== null && "ops" in value && Array.isArray(value.ops);
}
