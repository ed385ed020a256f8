import { setTimeout as delay } from "node:timers/promises";
import type { JsonFileWarning } from "../warning.js";
import type { Warnings } from "../warnings.js";
import type { FileSystem } from "./file-system.js";
import { HandleQueue, lacksHandles } from "./handle-queue.js";

/** How long a folder sync waits for a handle. Its commit is written by then, and would be in doubt without it. */
const FOLDER_SYNC_DEADLINE_MS = 2_000;
const RETRY_MS = 5;

/**
 * Deals with a shortage of file handles. A call that gets none closes a handle that is only cached, and tries again.
 *
 * One handle is kept in reserve for folder syncs: a commit that has its file open still needs one, and without a reserve all
 * commits could wait for each other.
 */
export class FileHandles {
  /** Closes one cached handle that is not in use. `false` if there is none. The owner of the cache sets it. */
  releaseIdle: () => boolean = () => false;
  /** Calls that wait for each other's handles. */
  readonly queue: HandleQueue = new HandleQueue();
  readonly #fileSystem: FileSystem;
  readonly #warnings: Warnings;
  /** A file that always exists, for the handle in reserve. */
  readonly #path: string;
  #reserve: number | undefined;
  #lastFolderSync: Promise<void> = Promise.resolve();

  constructor(fileSystem: FileSystem, warnings: Warnings, path: string) {
    this.#fileSystem = fileSystem;
    this.#warnings = warnings;
    this.#path = path;
  }

  /** Opens the handle in reserve. Without one, files are opened with more care. */
  reserve(): void {
    try {
      this.#reserve ??= this.#fileSystem.open(this.#path, false);
    } catch (cause) {
      if (!lacksHandles(cause)) this.#warnings.give(handleTrouble(cause));
    }
  }

  /** Closes the handle in reserve. */
  close(): void {
    if (this.#reserve !== undefined) this.#close(this.#reserve);
    this.#reserve = undefined;
  }

  /** The same file system, with calls that spare handles. A handle that cannot be closed is a warning. */
  sparing(): FileSystem {
    const real = this.#fileSystem;
    // One by one and not by a spread: a call that is added later needs a decision here.
    return {
      stat: (path) => real.stat(path),
      statOpen: (file) => real.statOpen(file),
      read: (file, from, length) => real.read(file, from, length),
      append: (file, bytes) => real.append(file, bytes),
      sync: (file) => real.sync(file),
      makeFolder: (path) => real.makeFolder(path),
      move: (from, to) => real.move(from, to),
      remove: (path) => this.#retried(() => real.remove(path)),
      list: (folder) => this.#retried(() => real.list(folder)),
      readFile: (path) => this.#retried(() => real.readFile(path)),
      create: (path) => this.#retried(() => this.#notTheLast(() => real.create(path))),
      open: (path, writable) => this.#retried(() => this.#notTheLast(() => real.open(path, writable))),
      close: (file) => this.#close(file),
      syncFolder: (path) => this.#syncFolder(path),
    };
  }

  #retried<Result>(call: () => Result): Result {
    for (;;) {
      try {
        return call();
      } catch (error) {
        if (!lacksHandles(error) || !this.releaseIdle()) throw error;
      }
    }
  }

  /** While a folder sync uses the reserve, no file is opened with the handle that the reserve needs again. */
  #notTheLast<File extends number | undefined>(open: () => File): File {
    if (this.#reserve !== undefined) return open();
    const kept = this.#fileSystem.open(this.#path, false);
    try {
      return open();
    } finally {
      if (kept !== undefined) this.#close(kept);
    }
  }

  async #syncFolder(path: string): Promise<void> {
    try {
      return await this.#fileSystem.syncFolder(path);
    } catch (error) {
      if (!lacksHandles(error)) throw error;
    }
    // One after the other, with the handle in reserve.
    const synced = this.#lastFolderSync.then(() => this.#syncFolderLater(path));
    this.#lastFolderSync = synced.then(nothing, nothing);
    return synced;
  }

  async #syncFolderLater(path: string): Promise<void> {
    const deadline = performance.now() + FOLDER_SYNC_DEADLINE_MS;
    for (;;) {
      this.close(); // the next line opens the folder before anybody else runs
      try {
        return await this.#fileSystem.syncFolder(path);
      } catch (error) {
        if (!lacksHandles(error) || performance.now() >= deadline) throw error;
      } finally {
        this.reserve();
      }
      if (!this.releaseIdle()) await delay(RETRY_MS);
    }
  }

  /** What was written is synced before it is acknowledged, so a failing close loses nothing. */
  #close(file: number): void {
    try {
      this.#fileSystem.close(file);
    } catch (cause) {
      this.#warnings.give(handleTrouble(cause));
    }
  }
}

function handleTrouble(cause: unknown): JsonFileWarning {
  const message =
    "A file could not be closed or opened (see the cause). Nothing is lost, but the disk may be failing.";
  return { code: "HANDLE_TROUBLE", message, cause };
}

function nothing(): void {
  // The next sync starts, whether this one succeeded or failed.
}
