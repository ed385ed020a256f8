import { Damage, type Finding, SessionError, type SessionState } from "@sessions/protocol/backend";
import type { FileSystem } from "../engine/file-system.js";
import { asSessionError } from "../error-mapping.js";
import { asDamage } from "../session/as-damage.js";
import { isRefusal } from "../session/concerns-one-session.js";
import { Fold } from "../session/fold.js";
import type { JournalFolder } from "../session/journal-folder.js";
import { checksumIn, NO_SALT } from "../session/lines/checksummed-line.js";
import type { CommitEntry } from "../session/lines/journal-line.js";
import { BehindDamage } from "./behind-damage.js";
import type { NamedCommit } from "./kept-commits.js";

/** Everything that stands in the newest segment of a session, whether it counts or not. */
export interface JournalScan {
  readonly path: string;
  /** The session's id, if the header can be read. */
  readonly id: string | undefined;
  /** What the lines before the first damage lead to. */
  readonly state: SessionState | undefined;
  readonly findings: readonly Finding[];
  /** The state that the segment begins with, where that line stands behind the damage. */
  readonly base: SessionState | undefined;
  /** Commits behind the damage: sound in themselves, but what they were made upon is missing. */
  readonly stranded: readonly CommitEntry[];
  /** Commits in lines that cannot be read, as far as their names can. */
  readonly unreadable: readonly NamedCommit[];
}

const SLICE_BYTES = 1024 * 1024;

/** Reads all of it, past every damage. `undefined` if there is no segment. */
export function scanJournal(folder: JournalFolder): JournalScan | undefined {
  const { fileSystem } = folder.context;
  const g = folder.newest();
  const path = folder.segment(g ?? 0);
  const file = g === undefined ? undefined : fileSystem.open(path, false);
  if (file === undefined) return undefined;
  try {
    return new Scan(fileSystem, file, path).run();
  } finally {
    fileSystem.close(file);
  }
}

/** The same for a session that cannot be read: `undefined` also where not even a segment can be opened. */
export function scanIfPossible(folder: JournalFolder): JournalScan | undefined {
  try {
    return scanJournal(folder);
  } catch (error) {
    const cause = SessionError.is(error) ? error.cause : error;
    if (isRefusal(cause) || asDamage(cause, folder.path) instanceof Damage) return undefined;
    throw error;
  }
}

class Scan {
  readonly #fileSystem: FileSystem;
  readonly #file: number;
  readonly #path: string;
  readonly #fold: Fold;
  readonly #findings: Finding[] = [];
  readonly #checksums = new Set<string>();
  #behind: BehindDamage | undefined;
  /** As the first line has it, even if that line is damaged elsewhere: the checksums behind it tell whether it is right. */
  #salt: string | undefined;

  constructor(fileSystem: FileSystem, file: number, path: string) {
    this.#fileSystem = fileSystem;
    this.#file = file;
    this.#path = path;
    this.#fold = new Fold({
      path,
      bytesAt: (offset, length) => fileSystem.read(file, offset, length),
      onBenign: (detail, offset) => this.#note("benign", detail, this.#at(offset)),
    });
  }

  run(): JournalScan {
    for (const { line, offset } of this.#lines()) {
      this.#salt ??= /"salt":"([0-9a-f]{8})"/.exec(line.toString("latin1"))?.[1] ?? NO_SALT;
      if (this.#behind === undefined) this.#takeLine(line, offset);
      else if (!this.#behind.take(line.subarray(0, -1), offset))
        this.#note("harmful", "a line cannot be read", this.#at(offset));
    }
    const { header, state } = this.#fold;
    const kept = this.#behind?.kept();
    this.#noteStranded(kept?.commits);
    return {
      path: this.#path,
      id: header?.id,
      state,
      findings: this.#findings,
      base: kept?.base,
      stranded: kept?.commits ?? [],
      unreadable: kept?.unreadable ?? [],
    };
  }

  #takeLine(line: Buffer, offset: number): void {
    try {
      this.#fold.take(line);
      this.#checksums.add(checksumIn(line.subarray(0, -1)) ?? "");
    } catch (error) {
      if (!(error instanceof Damage)) throw asSessionError(error, this.#fold.header?.id, this.#path);
      this.#note("harmful", error.message, error.location);
      const { header, last, chunks } = this.#fold;
      const salt = header?.salt ?? this.#salt ?? NO_SALT;
      this.#behind = new BehindDamage({ salt, last, chunks, before: this.#checksums });
      this.#behind.take(line.subarray(0, -1), offset);
    }
  }

  #noteStranded(commits: readonly CommitEntry[] = []): void {
    const [first] = commits;
    if (first === undefined) return;
    const detail = `${commits.length} commits behind the damage can be read but do not count, from revision ${first.r} on`;
    this.#note("harmful", detail, this.#path);
  }

  #note(severity: Finding["severity"], detail: string, location: string): void {
    this.#findings.push({ severity, detail, location });
  }

  #at(offset: number): string {
    return `${this.#path} at byte ${offset}`;
  }

  /** Whole lines with their ends. An unfinished one at the end of the file does not count. */
  *#lines(): Iterable<{ readonly line: Buffer; readonly offset: number }> {
    let from = 0;
    for (let length = SLICE_BYTES; ; ) {
      const bytes = this.#fileSystem.read(this.#file, from, length);
      let taken = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, taken)) {
        yield { line: bytes.subarray(taken, end + 1), offset: from + taken };
        taken = end + 1;
      }
      if (bytes.length < length) return;
      length = taken === 0 ? length * 2 : SLICE_BYTES;
      from += taken;
    }
  }
}
