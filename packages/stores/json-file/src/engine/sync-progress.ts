import { outcomeUnknown } from "../error-mapping.js";
import type { FileSystem } from "./file-system.js";
import type { OpenFile } from "./open-file.js";

/** How much of a file the disk has confirmed. Outlives the descriptor that the file was open with. */
export class SyncProgress {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  #confirmedTo = 0;
  #isNameConfirmed = false;
  #writtenTo = 0;
  #unconfirmedFrom: number | undefined;
  #failure: unknown;

  constructor(fileSystem: FileSystem, path: string) {
    this.#fileSystem = fileSystem;
    this.#path = path;
  }

  /** Why a sync failed. It stays: a second sync would succeed, whatever the disk has lost. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Where the oldest write of this process begins that the disk has not confirmed. */
  get unconfirmedFrom(): number | undefined {
    return this.#unconfirmedFrom;
  }

  /** This process has written these bytes and will wait for the disk. */
  wrote(from: number, to: number): void {
    this.#unconfirmedFrom ??= from;
    this.#writtenTo = to;
  }

  /** The file and its name are known to be on the disk up to here. */
  confirmed(to: number): void {
    this.#confirmedTo = Math.max(this.#confirmedTo, to);
    this.#isNameConfirmed = true;
    if (this.#confirmedTo >= this.#writtenTo) this.#unconfirmedFrom = undefined;
  }

  /**
   * Resolves when everything up to `end` is on the disk, whoever wrote it, and the file's name in these folders. Begins to
   * sync at once: the caller may lose the file right after the call.
   */
  async confirm(file: OpenFile, end: number, folders: readonly string[]): Promise<void> {
    try {
      if (this.#failure === undefined && this.#confirmedTo < end) await file.sync();
      for (const folder of this.#isNameConfirmed ? [] : folders) await this.#fileSystem.syncFolder(folder);
    } catch (error) {
      this.#failure ??= error;
    }
    if (this.#failure !== undefined) throw outcomeUnknown(this.#path, this.#failure);
    this.confirmed(end);
  }
}
