import { join } from "node:path";
import { SessionError } from "@sessions/protocol";
import { newer } from "./error-mapping.js";
import type { FileStat, FileSystem } from "./file-system.js";
import { JOURNAL_VERSION } from "./journal-line.js";

/** `format.json` of a store: which version wrote it. Looked at before every write, because it may change under us. */
export class StoreFormat {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #prepared: string;
  /** The file as it was when it was read and found good: it is read again when it has changed. */
  #checked: FileStat | undefined;

  constructor(fileSystem: FileSystem, root: string, nonce: (bytes: number) => string) {
    this.#fileSystem = fileSystem;
    this.#path = join(root, "format.json");
    this.#prepared = join(root, "tmp", `format-${nonce(8)}`);
  }

  /** Writes the format of a new store; leaves that of an existing one alone. The root must be synced afterwards. */
  async establish(): Promise<void> {
    if (this.#fileSystem.readFile(this.#path) === undefined) await this.#write();
    this.check();
  }

  async #write(): Promise<void> {
    const text = `${JSON.stringify({ format: "sessions-json-file", version: JOURNAL_VERSION })}\n`;
    const file = this.#fileSystem.create(this.#prepared);
    try {
      this.#fileSystem.append(file, Buffer.from(text));
      await this.#fileSystem.sync(file);
    } finally {
      this.#fileSystem.close(file);
    }
    this.#fileSystem.move(this.#prepared, this.#path);
  }

  /** Throws FORMAT_UNSUPPORTED for a newer store, and says so if the file cannot be understood. */
  check(): void {
    const stat = this.#fileSystem.stat(this.#path);
    if (stat === undefined || !isSame(stat, this.#checked)) this.#read(stat);
  }

  #read(stat: FileStat | undefined): void {
    const text = this.#fileSystem.readFile(this.#path);
    const version = text === undefined ? undefined : versionIn(text);
    if (version === undefined) {
      const message = `${this.#path} does not say which format this store has. Restore that file.`;
      throw SessionError.of("STORE_UNAVAILABLE", message, {});
    }
    if (version > JOURNAL_VERSION) throw newer(version, this.#path);
    this.#checked = stat;
  }
}

function isSame(now: FileStat, before: FileStat | undefined): boolean {
  return now.inode === before?.inode && now.size === before.size && now.changedAt === before.changedAt;
}

function versionIn(text: string): number | undefined {
  const version = /"version":\s*(\d+)/.exec(text)?.[1];
  return version === undefined ? undefined : Number(version);
}
