import { type Finding, SessionError, type SessionState } from "@sessions/protocol/backend";
import type { FileSystem } from "../engine/file-system.js";
import { asSessionError } from "../error-mapping.js";
import { asDamage } from "../session/as-damage.js";
import { isRefusal } from "../session/concerns-one-session.js";
import { Damage } from "../session/damage.js";
import { Fold } from "../session/fold.js";
import type { JournalPlace } from "../session/journal-folder.js";
import { checksumIn, NO_SALT } from "../session/lines/checksummed-line.js";
import type { CommitEntry } from "../session/lines/journal-line.js";
import { BehindDamage } from "./behind-damage.js";
import type { NamedCommit } from "./kept-commits.js";

/** Everything that stands in the newest segment of a session, whether it counts or not. */
export interface Survey {
  readonly path: string;
  /** The session's id, if the header can be read. */
  readonly id: string | undefined;
  /** What the lines before the first damage come to. */
  readonly state: SessionState | undefined;
  readonly findings: readonly Finding[];
  /** The state that the segment begins with, where that line stands behind the damage. */
  readonly base: SessionState | undefined;
  /** Commits behind the damage: sound in themselves, but what they were made upon is not there. */
  readonly stranded: readonly CommitEntry[];
  /** The names of commits in lines that cannot be read. */
  readonly unreadable: readonly NamedCommit[];
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

/** The same of a session that cannot be read: `undefined` also where not even a segment can be opened. */
export function surveyedIfPossible(place: JournalPlace): Survey | undefined {
  try {
    return surveyed(place);
  } catch (error) {
    const cause = SessionError.is(error) ? error.cause : error;
    if (isRefusal(cause) || asDamage(cause) instanceof Damage) return undefined;
    throw error;
  }
}

class Surveyor {
  readonly #fileSystem: FileSystem;
  readonly #file: number;
  readonly #path: string;
  readonly #fold: Fold;
  readonly #harmful: Finding[] = [];
  #behind: BehindDamage | undefined;
  readonly #checksums = new Set<string>();
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
    const kept = this.#behind?.kept();
    const located = benign.map((finding) => ({
      ...finding,
      location: `${this.#path} at ${finding.location}`,
    }));
    return {
      path: this.#path,
      id: header?.id,
      state,
      findings: [...located, ...this.#harmful, ...this.#strandedFinding(kept?.commits)],
      base: kept?.base,
      stranded: kept?.commits ?? [],
      unreadable: kept?.unreadable ?? [],
    };
  }

  #take(line: Buffer): void {
    try {
      this.#fold.take(line);
      this.#checksums.add(checksumIn(line.subarray(0, -1)) ?? "");
    } catch (error) {
      if (!(error instanceof Damage)) throw asSessionError(error, this.#fold.header?.id, this.#path);
      this.#harm(error.message, error.offset);
      this.#behindDamage(line, error.offset);
    }
  }

  #behindDamage(line: Buffer, offset: number): void {
    const { header, last, parts } = this.#fold;
    const salt = header?.salt ?? this.#salt ?? NO_SALT;
    this.#behind ??= new BehindDamage({ salt, last, parts, before: this.#checksums });
    const isSound = this.#behind.take(line.subarray(0, -1), offset);
    if (!isSound && this.#harmful.every(({ location }) => location !== this.#at(offset)))
      this.#harm("a line cannot be read", offset);
  }

  #strandedFinding(commits: readonly CommitEntry[] = []): readonly Finding[] {
    const [first] = commits;
    if (first === undefined) return [];
    const detail = `${commits.length} commits behind the damage can be read but do not count, from revision ${first.r} on`;
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
