import { crc32 } from "node:zlib";
import type { FileStat } from "../engine/file-system.js";

/** Where others append all the time, comparing may take one part in this many of the time. */
const TIME_SHARE = 20;
const SLICE_BYTES = 64 * 1024;

type PrefixStat = Pick<FileStat, "size" | "changedAt">;

/**
 * The bytes of a file that were read, as a checksum, and how the file was then. A file that has another size or another
 * time of change may have been changed in place: then its bytes are compared with those that were read.
 */
export class ReadPrefix {
  readonly #bytesAt: (offset: number, length: number) => Buffer;
  #length = 0;
  #checksum = 0;
  #stat: PrefixStat = { size: 0, changedAt: 0 };
  /** Whether others have appended and the bytes before that were not compared since. */
  #isInDoubt = false;
  /** Until when appends of others cause no comparison; by the monotonic clock. */
  #pauseUntil = 0;

  /** `bytesAt` reads the file again. */
  constructor(bytesAt: (offset: number, length: number) => Buffer) {
    this.#bytesAt = bytesAt;
  }

  /** How the file was before it was last read, or right after the last write of this process. */
  get stat(): PrefixStat {
    return this.#stat;
  }

  /** Takes the next bytes, which were read from the file or have just been written to it. */
  add(bytes: Buffer): void {
    this.#checksum = crc32(bytes, this.#checksum);
    this.#length += bytes.length;
  }

  /** The file was like this before it was read, or right after a write of this process. */
  note({ size, changedAt }: PrefixStat): void {
    this.#stat = { size, changedAt };
  }

  /**
   * Whether the file still begins with the bytes that were read. The time alone does not tell: an append moves it a moment
   * before the size, and so do a new mode and a new name. A change within one step of the file's time is not seen.
   */
  isIn(stat: PrefixStat): boolean {
    const isAsNoted = stat.size === this.#stat.size && stat.changedAt === this.#stat.changedAt;
    if (this.#length === 0 || (isAsNoted && !this.#isInDoubt)) return true;
    const mayWait = isAsNoted || stat.size > this.#stat.size;
    this.#isInDoubt = mayWait && performance.now() < this.#pauseUntil;
    return this.#isInDoubt || this.#isSame();
  }

  #isSame(): boolean {
    const began = performance.now();
    let checksum = 0;
    for (let from = 0; from < this.#length; from += SLICE_BYTES)
      checksum = crc32(this.#bytesAt(from, Math.min(SLICE_BYTES, this.#length - from)), checksum);
    const now = performance.now();
    this.#pauseUntil = now + TIME_SHARE * (now - began);
    return checksum === this.#checksum;
  }
}
