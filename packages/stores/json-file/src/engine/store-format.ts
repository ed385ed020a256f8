import { join } from "node:path";
import { SessionError } from "@sessions/protocol";
import { newerFormat, storeFull } from "../error-mapping.js";
import { JOURNAL_VERSION } from "../session/lines/journal-line.js";
import type { FileStat, FileSystem } from "./file-system.js";

/** `format.json` of a store: which version wrote it. Checked before every write: a newer version may have changed it. */
export class StoreFormat {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #prepared: string;
  /** The file that was read and found good, and how it was then. */
  #checked: { readonly file: number; readonly stat: FileStat } | undefined;

  constructor(fileSystem: FileSystem, root: string, nonce: (bytes: number) => string) {
    this.#fileSystem = fileSystem;
    this.#path = join(root, "format.json");
    this.#prepared = join(root, "tmp", `format-${nonce(8)}`);
  }

  /** Writes the format of a new store; leaves that of an existing one alone. The root must be synced afterwards. */
  async establish(): Promise<void> {
    if (this.#fileSystem.readFile(this.#path) === undefined) await this.#write();
    this.checkOnce();
  }

  /** Checks, and keeps no file open. */
  checkOnce(): void {
    this.check();
    this.close();
  }

  async #write(): Promise<void> {
    const text = `${JSON.stringify({ format: "sessions-json-file", version: JOURNAL_VERSION })}\n`;
    const file = this.#fileSystem.create(this.#prepared);
    try {
      const bytes = Buffer.from(text);
      // No process could read a format that is cut short.
      if (this.#fileSystem.append(file, bytes) < bytes.length) throw storeFull(this.#path);
      await this.#fileSystem.sync(file);
    } finally {
      this.#fileSystem.close(file);
    }
    this.#fileSystem.move(this.#prepared, this.#path);
  }

  /** Throws FORMAT_UNSUPPORTED for a newer store, and says so if the file cannot be understood. */
  check(): void {
    const stat = this.#checked && this.#fileSystem.stat(this.#path);
    if (stat === undefined || !isSame(stat, this.#checked?.stat)) this.#readAgain();
  }

  /**
   * The same at half the cost, by an `fstat` of the open file. Does not notice that the whole store was replaced: for
   * callers that `stat` another file of it anyway.
   */
  checkOpen(): void {
    const stat = this.#checked && this.#fileSystem.statOpen(this.#checked.file);
    if (stat === undefined || !isSame(stat, this.#checked?.stat)) this.#readAgain();
  }

  /** Closes the file. */
  close(): void {
    if (this.#checked !== undefined) this.#fileSystem.close(this.#checked.file);
    this.#checked = undefined;
  }

  #readAgain(): void {
    this.close();
    const file = this.#fileSystem.open(this.#path, false);
    if (file === undefined) throw unreadable(this.#path);
    try {
      // The stat comes first: a change between the two calls is noticed the next time.
      const stat = this.#fileSystem.statOpen(file);
      const version = versionIn(this.#fileSystem.read(file, 0, stat.size).toString());
      if (version === undefined) throw unreadable(this.#path);
      if (version > JOURNAL_VERSION) throw newerFormat(version, this.#path);
      this.#checked = { file, stat };
    } finally {
      if (this.#checked === undefined) this.#fileSystem.close(file);
    }
  }
}

/** An open file that was replaced or removed has lost a name; one that was written to has another time. */
function isSame(now: FileStat, before: FileStat | undefined): boolean {
  if (now.inode !== before?.inode || now.links !== before.links) return false;
  return now.size === before.size && now.changedAt === before.changedAt;
}

function unreadable(path: string): SessionError {
  const message = `${path} does not say which format this store has. Restore that file.`;
  return SessionError.of("STORE_UNAVAILABLE", message, {});
}

function versionIn(text: string): number | undefined {
  const version = /"version":\s*(\d+)/.exec(text)?.[1];
  return version === undefined ? undefined : Number(version);
}
