import { unconfirmed } from "../error-mapping.js";
import type { FileSystem } from "./file-system.js";

/** A sync of what was written up to `end`. */
interface Sync {
  readonly end: number;
  /** Where writes of ours begin that wait for it. */
  readonly starts: number[];
  readonly done: Promise<void>;
}

/** How much of an open file is known to be on the disk, and its closing once nobody waits for that any more. */
export class FileSync {
  readonly #fileSystem: FileSystem;
  readonly #file: number;
  readonly #path: string;
  #synced = 0;
  #named = false;
  #newest: Sync | undefined;
  readonly #unconfirmed = new Set<number>();
  #running = 0;
  #closing = false;
  #closed = false;
  #failure: unknown;

  constructor(fileSystem: FileSystem, file: number, path: string) {
    this.#fileSystem = fileSystem;
    this.#file = file;
    this.#path = path;
  }

  /** What the disk said when it did not confirm a write: what it holds since then nobody knows. */
  get failure(): unknown {
    return this.#failure;
  }

  get isClosing(): boolean {
    return this.#closing;
  }

  /** Where the oldest of our writes begins that the disk has not confirmed yet; infinity if there is none. */
  get unconfirmedFrom(): number {
    return this.#unconfirmed.size === 0 ? Number.POSITIVE_INFINITY : Math.min(...this.#unconfirmed);
  }

  /** Begins to sync what was written up to `end`. Who depends on it asks `upTo`. */
  begin(end: number): Promise<void> {
    const starts: number[] = [];
    this.#running++;
    const done = this.#fileSystem.sync(this.#file).then(
      () => {
        this.#synced = Math.max(this.#synced, end);
        this.#settled(starts);
      },
      (error: unknown) => {
        this.#failed(error);
        this.#settled(starts);
      },
    );
    this.#newest = { end, starts, done };
    return done;
  }

  /** A write of ours counts from `start` on, and waits for the sync that was begun last. */
  claim(start: number): void {
    this.#unconfirmed.add(start);
    this.#newest?.starts.push(start);
  }

  /** The sync under way that covers `end`, if there is one. It does not fail. */
  covering(end: number): Promise<void> | undefined {
    return this.#newest !== undefined && this.#newest.end >= end ? this.#newest.done : undefined;
  }

  /** Whether everything up to `end` is known to be on the disk, and the file's name too. */
  isConfirmed(end: number): boolean {
    return this.#named && this.#synced >= end && this.#failure === undefined;
  }

  /** Resolves when everything up to `end` is on the disk, whoever wrote it, and the file's name in these folders. */
  async upTo(end: number, folders: readonly string[]): Promise<void> {
    if (this.#synced < end && this.#closed) throw unconfirmed(this.#path, new Error("the file was closed"));
    if (this.#synced < end) await (this.covering(end) ?? this.begin(end));
    for (const folder of this.#named ? [] : folders) {
      if (this.#failure === undefined) await this.#syncFolder(folder);
    }
    if (this.#failure !== undefined) throw unconfirmed(this.#path, this.#failure);
    this.#named = true;
  }

  /** Closes the file, now or when nobody waits for it any more: its number would be given to another file at once. */
  close(): void {
    this.#closing = true;
    this.#closeIfIdle();
  }

  async #syncFolder(folder: string): Promise<void> {
    this.#running++;
    try {
      await this.#fileSystem.syncFolder(folder);
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#settled([]);
    }
  }

  /** A second sync would say that all is well, and would be wrong: so the failure stays. */
  #failed(error: unknown): void {
    this.#failure ??= error;
  }

  #settled(starts: readonly number[]): void {
    for (const start of starts) this.#unconfirmed.delete(start);
    this.#running--;
    this.#closeIfIdle();
  }

  #closeIfIdle(): void {
    if (!this.#closing || this.#closed || this.#running > 0) return;
    this.#closed = true;
    this.#fileSystem.close(this.#file);
  }
}
