import type { FileStat, FileSystem } from "./file-system.js";

/** An open file. Closing waits for pending syncs: the system gives its number to the next file that is opened. */
export class OpenFile {
  readonly #fileSystem: FileSystem;
  readonly #descriptor: number;
  #pendingSyncs = 0;
  #isClosing = false;

  private constructor(fileSystem: FileSystem, descriptor: number) {
    this.#fileSystem = fileSystem;
    this.#descriptor = descriptor;
  }

  /** `undefined` if there is no such file. */
  static open(fileSystem: FileSystem, path: string, writable: boolean): OpenFile | undefined {
    const descriptor = fileSystem.open(path, writable);
    return descriptor === undefined ? undefined : new OpenFile(fileSystem, descriptor);
  }

  stat(): FileStat {
    return this.#fileSystem.statOpen(this.#descriptor);
  }

  /** Fewer bytes than asked for only where the file ends. */
  read(from: number, length: number): Buffer {
    return this.#fileSystem.read(this.#descriptor, from, length);
  }

  /** Appends in one call. Returns how much of it was written. */
  append(bytes: Buffer): number {
    return this.#fileSystem.append(this.#descriptor, bytes);
  }

  /** Resolves when everything that was written before the call is on the disk. */
  async sync(): Promise<void> {
    this.#pendingSyncs++;
    try {
      await this.#fileSystem.sync(this.#descriptor);
    } finally {
      this.#pendingSyncs--;
      if (this.#isClosing) this.#closeIfIdle();
    }
  }

  /** No other call may follow. */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#closeIfIdle();
  }

  #closeIfIdle(): void {
    if (this.#pendingSyncs === 0) this.#fileSystem.close(this.#descriptor);
  }
}
