import { crc32 } from "node:zlib";
import type { FileStat } from "./file-system.js";

/** Where others have appended, as much as this is compared again. It takes less time than a sync of the disk. */
const MAX_COMPARED_BYTES = 256 * 1024;
const SLICE = 64 * 1024;

/**
 * The part of a file that is in memory as a state, and how the file was when that was right. Files of a journal only grow:
 * one that has another time of change and the same size was changed in place, or its inode was.
 */
export class ReadPrefix {
  readonly #read: (from: number, length: number) => Buffer;
  #length = 0;
  #checksum = 0;
  #stat: Pick<FileStat, "size" | "changedAt"> = { size: 0, changedAt: 0 };

  /** `read` reads the file again. */
  constructor(read: (from: number, length: number) => Buffer) {
    this.#read = read;
  }

  /** When the file was last changed, as far as is known. */
  get changedAt(): number {
    return this.#stat.changedAt;
  }

  /** Takes the next bytes, which were read from the file or have just been written to it. */
  add(bytes: Buffer): void {
    this.#checksum = crc32(bytes, this.#checksum);
    this.#length += bytes.length;
  }

  /** The file was like this before it was read, or right after our own write. */
  note(stat: FileStat): void {
    this.#stat = stat;
  }

  /** Whether nobody has touched the file since. Its time has a step of some milliseconds: a change within it is not seen. */
  isUntouched({ size, changedAt }: FileStat): boolean {
    return size === this.#stat.size && changedAt === this.#stat.changedAt;
  }

  /** Whether the file still begins with what was read of it. `false` also where only reading it all again can tell. */
  isIn(stat: FileStat): boolean {
    if (this.#length === 0 || this.isUntouched(stat)) return true;
    if (stat.size <= this.#stat.size) return false;
    // Somebody has appended, who looked before. What happened to the file since then does not show in its time.
    return this.#length > MAX_COMPARED_BYTES || this.#checksumOfFile() === this.#checksum;
  }

  #checksumOfFile(): number {
    let checksum = 0;
    for (let from = 0; from < this.#length; from += SLICE)
      checksum = crc32(this.#read(from, Math.min(SLICE, this.#length - from)), checksum);
    return checksum;
  }
}
