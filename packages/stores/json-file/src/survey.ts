import type { Finding, SessionState } from "@sessions/protocol";
import { Damage } from "./damage.js";
import { asSessionError } from "./error-mapping.js";
import type { FileSystem } from "./file-system.js";
import { Fold } from "./fold.js";
import { joinedCommits } from "./joined-commits.js";
import { type CommitEntry, isJournalLine, type JournalLine } from "./journal-line.js";
import type { JournalPlace } from "./journal-place.js";
import { NO_SALT, unsealed } from "./sealed-line.js";

/** Everything that stands in the newest segment of a session, whether it counts or not. */
export interface Survey {
  readonly path: string;
  /** The session's id, if the header can be read. */
  readonly id: string | undefined;
  /** What the lines before the first damage come to. */
  readonly state: SessionState | undefined;
  readonly findings: readonly Finding[];
  /** Commits behind the damage: sound in themselves, but what they were made upon is not there. */
  readonly stranded: readonly CommitEntry[];
}

const SLICE = 1024 * 1024;

/** Reads all of it, past every damage. `undefined` if there is no segment. */
export function surveyed(place: JournalPlace): Survey | undefined {
  const { fileSystem } = place.context;
  const g = place.newest();
  const path = place.segment(g ?? 0);
  const file = g === undefined ? undefined : fileSystem.open(path, false);
  if (file === undefined) return undefined;
  try {
    return new Surveyor(fileSystem, file, path).run();
  } finally {
    fileSystem.close(file);
  }
}

class Surveyor {
  readonly #fileSystem: FileSystem;
  readonly #file: number;
  readonly #path: string;
  readonly #fold: Fold;
  readonly #harmful: Finding[] = [];
  readonly #stranded: CommitEntry[] = [];
  #parts: (readonly unknown[])[] = [];
  /** As the first line has it, even if that line is damaged elsewhere: the checksums behind it tell whether it is right. */
  #salt: string | undefined;

  constructor(fileSystem: FileSystem, file: number, path: string) {
    this.#fileSystem = fileSystem;
    this.#file = file;
    this.#path = path;
    this.#fold = new Fold((offset, length) => fileSystem.read(file, offset, length));
  }

  run(): Survey {
    for (const { line, offset } of this.#lines()) {
      this.#salt ??= /"salt":"([0-9a-f]{8})"/.exec(line.toString("latin1"))?.[1] ?? NO_SALT;
      if (this.#harmful.length > 0) this.#behindDamage(line, offset);
      else this.#take(line);
    }
    const { header, state, benign } = this.#fold;
    const located = benign.map((finding) => ({
      ...finding,
      location: `${this.#path} at ${finding.location}`,
    }));
    return {
      path: this.#path,
      id: header?.id,
      state,
      findings: [...located, ...this.#harmful, ...this.#strandedFinding()],
      stranded: this.#stranded,
    };
  }

  #take(line: Buffer): void {
    try {
      this.#fold.take(line);
    } catch (error) {
      if (!(error instanceof Damage)) throw asSessionError(error, this.#fold.header?.id, this.#path);
      this.#harm(error.message, error.offset);
      this.#behindDamage(line, error.offset);
    }
  }

  #behindDamage(line: Buffer, offset: number): void {
    const read = unsealed(line.subarray(0, -1), this.#fold.header?.salt ?? this.#salt ?? NO_SALT);
    if (read !== undefined && isJournalLine(read.value)) this.#strand(read.value);
    else if (this.#harmful.every(({ location }) => location !== this.#at(offset)))
      this.#harm("a line cannot be read", offset);
  }

  #strand(line: JournalLine): void {
    if ("part" in line) {
      this.#parts.push(line.part);
      return;
    }
    if ("commits" in line) this.#stranded.push(...(joinedCommits(line.commits, this.#parts) ?? []));
    this.#parts = [];
  }

  #strandedFinding(): readonly Finding[] {
    const [first] = this.#stranded;
    if (first === undefined) return [];
    const detail = `${this.#stranded.length} commits behind the damage can be read but do not count, from revision ${first.r} on`;
    return [{ severity: "harmful", detail, location: this.#path }];
  }

  #harm(detail: string, offset: number): void {
    this.#harmful.push({ severity: "harmful", detail, location: this.#at(offset) });
  }

  #at(offset: number): string {
    return `${this.#path} at byte ${offset}`;
  }

  /** Whole lines with their ends. An unfinished one at the end of the file is nobody's. */
  *#lines(): Iterable<{ readonly line: Buffer; readonly offset: number }> {
    let from = 0;
    for (let length = SLICE; ; ) {
      const bytes = this.#fileSystem.read(this.#file, from, length);
      let taken = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, taken)) {
        yield { line: bytes.subarray(taken, end + 1), offset: from + taken };
        taken = end + 1;
      }
      if (bytes.length < length) return;
      length = taken === 0 ? length * 2 : SLICE;
      from += taken;
    }
  }
}
