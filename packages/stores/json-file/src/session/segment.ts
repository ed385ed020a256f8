import type { SessionState } from "@sessions/protocol/backend";
import { FileSync } from "../engine/file-sync.js";
import type { FileStat, FileSystem } from "../engine/file-system.js";
import { unconfirmed } from "../error-mapping.js";
import { Fold } from "./fold.js";
import { NO_SALT, type SealedLine } from "./lines/checksummed-line.js";
import { TORN } from "./lines/crash-traces.js";
import { composed } from "./lines/encode-lines.js";
import type { CommitEntry } from "./lines/journal-line.js";
import type { Fragment } from "./lines/line-bodies.js";
import { ReadPrefix } from "./read-prefix.js";

/** How much is read at once, before others get their turn. */
const SLICE = 64 * 1024;

const NOTHING = Buffer.alloc(0);

/** What is appended, and the state that it leads to. */
export interface Addition {
  readonly fragments: readonly Fragment[];
  readonly state: SessionState | undefined;
  readonly entries: readonly CommitEntry[];
  /** Whether it will be waited for until it is on the disk. */
  readonly durable: boolean;
}

/**
 * One file of a journal, open. What makes it safe is compare-and-swap on the byte offset: a line says where it stands,
 * and counts only there. Whoever writes second finds other bytes in its place, reads them, and tries again.
 */
export class Segment {
  readonly path: string;
  readonly g: number;
  readonly inode: number | bigint;
  readonly fold: Fold;
  /** How much of the file was read, an unfinished line at its end included. */
  seen = 0;
  /** How many names the file had when it was last looked at. */
  links = 1;
  /** Whether others had written when it was last looked at. */
  hadNews = true;
  /** Whether it still had its name when it was last written to. */
  isAtHome = true;
  /** Whether what this segment replaces was removed. */
  alone = false;
  readonly #fileSystem: FileSystem;
  readonly #file: number;
  readonly #disk: FileSync;
  readonly #prefix: ReadPrefix;

  private constructor(fileSystem: FileSystem, path: string, g: number, file: number) {
    this.#fileSystem = fileSystem;
    this.#file = file;
    this.path = path;
    this.g = g;
    this.#disk = new FileSync(fileSystem, file, path);
    this.inode = fileSystem.statOpen(file).inode;
    const read = (offset: number, length: number): Buffer => fileSystem.read(file, offset, length);
    this.#prefix = new ReadPrefix(read);
    this.fold = new Fold(read);
  }

  /** `undefined` if there is no such file. */
  static open(fileSystem: FileSystem, path: string, g: number, writable: boolean): Segment | undefined {
    const file = fileSystem.open(path, writable);
    return file === undefined ? undefined : new Segment(fileSystem, path, g, file);
  }

  /** What the disk said when it did not confirm a write: what it holds since then nobody knows. */
  get failure(): unknown {
    return this.#disk.failure;
  }

  /** When the file was last changed, as far as is known. */
  get changedAt(): number {
    return this.#prefix.changedAt;
  }

  /** Whether this is still the file that has the name, grown at most. (Inodes are used again at once.) */
  isAt(stat: FileStat): boolean {
    return stat.inode === this.inode && stat.size >= this.seen && this.#prefix.isIn(stat);
  }

  /** Whether nobody has touched the file since it was last read or written here. Does not see that its name is gone. */
  isUntouched(): boolean {
    return this.#prefix.isUntouched(this.#fileSystem.statOpen(this.#file));
  }

  /** Reads on towards the file's size, a slice at a time. `true` when it is there. */
  readTo(stat: FileStat): boolean {
    const { size } = stat;
    this.fold.requireSound();
    this.#prefix.note(stat);
    this.links = stat.links;
    this.hadNews = size !== this.seen;
    if (!this.hadNews) return true;
    for (let length = SLICE; ; length *= 2) {
      const end = this.fold.end;
      const bytes = this.#fileSystem.read(this.#file, end, Math.min(size - end, length));
      this.seen = end + bytes.length;
      this.fold.take(bytes);
      this.#prefix.add(bytes.subarray(0, this.fold.end - end));
      // A line may be longer than a slice: then the slice grows until it holds one.
      if (this.fold.end > end || this.seen >= size || bytes.length < length) return this.seen >= size;
    }
  }

  /** Reads on to the end of the file, whatever has become of its name. */
  readOn(): Fold {
    if (this.isClosing) return this.fold; // the number of its file may be another's by now
    const stat = this.#fileSystem.statOpen(this.#file);
    while (!this.readTo(stat));
    return this.fold;
  }

  /**
   * Appends in one call, after what was read. `"overtaken"` if others were faster: nothing of it counts. `"full"` if
   * there was no room for all of it: whole lines of it may count. Fails with OUTCOME_UNKNOWN once its bytes may be there.
   */
  append(
    writer: string,
    { fragments, state, entries, durable }: Addition,
  ): "appended" | "overtaken" | "full" {
    this.fold.requireSound();
    // Since it was read, our own rotation may have sealed it, and what stands behind a seal never counts; or it was let
    // go, and its number may be another file's by now.
    if (this.fold.sealedTo !== undefined || this.isClosing) return "overtaken";
    // Where the file ended when it was read, not where it ends now: what came since is not in the state.
    const start = this.seen;
    // An unfinished line is closed with bytes that cannot complete it; a bare line end could.
    const unfinished = this.#unfinished();
    const torn = start > this.fold.end ? TORN : NOTHING;
    const unconfirmed = Math.min(start, this.#disk.unconfirmedFrom);
    const place = {
      offset: start + torn.length,
      last: this.fold.last,
      writer,
      salt: this.#salt(),
      unconfirmed,
    };
    const lines = composed(fragments, place);
    const bytes = joined(torn, lines);
    const { hadNews } = this;
    // Until it is known what stands there: whoever comes next has to look.
    this.hadNews = true;
    const written = this.#write(start, bytes);
    // The disk may begin while we look whether we were in time.
    if (durable) void this.#disk.begin(start + written);
    // What landed of a short write is read like anybody else's, and never continued.
    if (written < bytes.length) return "full";
    if (!this.#landed(start, bytes)) return "overtaken";
    // Only now: where we were overtaken stands another's line, which may have been acknowledged.
    if (durable) this.#disk.claim(start);
    if (unfinished.length > 0) this.#prefix.add(unfinished);
    this.#prefix.add(bytes);
    this.fold.advance(start - this.fold.end + torn.length, lines, state, entries);
    this.seen = this.fold.end;
    this.hadNews = hadNews;
    return "appended";
  }

  /** The sync under way that covers `end`, if there is one. It does not fail: `isConfirmed` tells what it came to. */
  confirming(end: number): Promise<void> | undefined {
    return this.#disk.covering(end);
  }

  /** Whether everything up to `end` is known to be on the disk, and the file's name too, and nothing is left to do. */
  isConfirmed(end: number): boolean {
    return this.#disk.isConfirmed(end) && (this.g === 1 || this.alone);
  }

  /** Resolves when everything up to `end` is on the disk, whoever wrote it, and the file's name in these folders. */
  sync(end: number, folders: readonly string[]): Promise<void> {
    return this.#disk.upTo(end, folders);
  }

  /** Whether it was let go: the number of its file may be another's by now. */
  get isClosing(): boolean {
    return this.#disk.isClosing;
  }

  close(): void {
    this.#disk.close();
  }

  /** What was seen behind the last whole line. */
  #unfinished(): Buffer {
    const { end } = this.fold;
    return this.seen === end ? NOTHING : this.#fileSystem.read(this.#file, end, this.seen - end);
  }

  #write(start: number, bytes: Buffer): number {
    try {
      return this.#fileSystem.append(this.#file, bytes);
    } catch (error) {
      throw this.#writeFailure(start, bytes, error);
    }
  }

  /** A write that failed has changed nothing if not even its first line stands where it should. */
  #writeFailure(start: number, bytes: Buffer, error: unknown): unknown {
    const first = bytes.subarray(0, bytes.indexOf(10, TORN.length) + 1);
    try {
      const isThere = this.#fileSystem.read(this.#file, start, first.length).equals(first);
      return isThere ? unconfirmed(this.path, error) : error;
    } catch (readError) {
      const both = new AggregateError([error, readError], "a write failed, and what it left cannot be read");
      return unconfirmed(this.path, both);
    }
  }

  /** Whether a write stands where it should. From here on the bytes are there, and nothing may say otherwise. */
  #landed(start: number, bytes: Buffer): boolean {
    try {
      return this.#standsAt(start, bytes);
    } catch (error) {
      throw unconfirmed(this.path, error);
    }
  }

  /** A file that has grown by just this was not written to by others. */
  #standsAt(start: number, bytes: Buffer): boolean {
    const stat = this.#fileSystem.stat(this.path);
    this.isAtHome = stat?.inode === this.inode;
    if (stat !== undefined && this.isAtHome) {
      this.links = stat.links;
      if (stat.size === start + bytes.length) {
        this.#prefix.note(stat);
        return true;
      }
    }
    return this.#fileSystem.read(this.#file, start, bytes.length).equals(bytes);
  }

  #salt(): string {
    return this.fold.header?.salt ?? NO_SALT;
  }
}

/** Mostly one line and nothing else, which need not be copied. */
function joined(torn: Buffer, lines: readonly SealedLine[]): Buffer {
  const [only] = lines;
  if (lines.length === 1 && only !== undefined && torn.length === 0) return only.bytes;
  return Buffer.concat([torn, ...lines.map((line) => line.bytes)]);
}
