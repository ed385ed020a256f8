import { crc32 } from "node:zlib";
import type { FileStat } from "../engine/file-system.js";

/** Where others append all the time, comparing may take a twentieth of the time. */
const SHARE = 20;
const SLICE = 64 * 1024;

/**
 * The part of a file that is in memory as a state, and how the file was when that was right. A file that has another size or
 * another time of change may have been changed in place: then its bytes are compared with those that were read.
 */
export class ReadPrefix {
  readonly #read: (from: number, length: number) => Buffer;
  #length = 0;
  #checksum = 0;
  #stat: Pick<FileStat, "size" | "changedAt"> = { size: 0, changedAt: 0 };
  /** Whether others have appended, and what was read before that was not compared since. */
  #isInDoubt = false;
  /** Until when to put off a comparison because of an append; by the monotonic clock. */
  #pauseUntil = 0;

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
  isUntouched(stat: FileStat): boolean {
    return !this.#isInDoubt && this.#isAsNoted(stat);
  }

  /**
   * Whether the file still begins with what was read of it. The time alone does not tell: an append moves it a moment before the
   * size, and so do a new mode and a new name.
   */
  isIn(stat: FileStat): boolean {
    if (this.#length === 0 || this.isUntouched(stat)) return true;
    const isPutOff = stat.size > this.#stat.size || this.#isAsNoted(stat);
    this.#isInDoubt = isPutOff && performance.now() < this.#pauseUntil;
    return this.#isInDoubt || this.#isSame();
  }

  #isAsNoted({ size, changedAt }: FileStat): boolean {
    return size === this.#stat.size && changedAt === this.#stat.changedAt;
  }

  #isSame(): boolean {
    const began = performance.now();
    let checksum = 0;
    for (let from = 0; from < this.#length; from += SLICE)
      checksum = crc32(this.#read(from, Math.min(SLICE, this.#length - from)), checksum);
    const now = performance.now();
    this.#pauseUntil = now + SHARE * (now - began);
    return checksum === this.#checksum;
  }
}
