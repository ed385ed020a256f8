import { type Stats, statSync } from "node:fs";
import { SessionError } from "@sessions/protocol";

/** How old a look at the files may be: for those who only read, and of the files beside the database. */
const LOOK_EVERY_MS = 200;

/** The smallest page of SQLite. A database has at least one; its WAL may be empty. */
const MIN_DATABASE_BYTES = 512;

/**
 * The files of a database, and which files they were when it was opened. SQLite goes on with those, whatever has their
 * names by now.
 */
export class DatabaseFiles {
  readonly #path: string;
  readonly #opened = new Map<string, Stats>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #refusal: SessionError | undefined;

  /** `path` of a database that was opened just now. */
  constructor(path: string) {
    this.#path = path;
    this.checkNowAndThen();
  }

  /** Throws STORE_UNAVAILABLE, from then on always, if a file was removed, replaced or emptied: nobody would find what is written. */
  check(): void {
    this.checkNowAndThen();
    this.#checkOne(this.#path);
  }

  /** The same at next to no cost: mostly the last look is recent enough. */
  checkNowAndThen(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = now;
    for (const file of [this.#path, `${this.#path}-wal`, `${this.#path}-shm`]) this.#checkOne(file);
  }

  /** Asks for the name alone: whoever opens and closes a database file loses SQLite's locks on it. */
  #checkOne(file: string): void {
    const found = statSync(file, { throwIfNoEntry: false });
    const opened = this.#opened.get(file);
    if (opened === undefined && found !== undefined) this.#opened.set(file, found);
    else if (found?.ino !== opened?.ino || found?.dev !== opened?.dev)
      throw this.#refuse(file, found === undefined ? "removed" : "replaced");
    if (file === this.#path && found !== undefined && found.size < MIN_DATABASE_BYTES)
      throw this.#refuse(file, "truncated");
  }

  #refuse(file: string, what: string): SessionError {
    const message = `${file} was ${what} while the store was open. This store refuses every further call: what it wrote, nobody else would find. Put the database back, or restore a backup; then open the store again.`;
    this.#refusal = SessionError.of("STORE_UNAVAILABLE", message, {});
    return this.#refusal;
  }
}
