import type { FileStat, FileSystem } from "../engine/file-system.js";
import { OpenFile } from "../engine/open-file.js";
import { SyncProgress } from "../engine/sync-progress.js";
import { Fold, type OwnLines } from "./fold.js";
import { ReadPrefix } from "./read-prefix.js";
import { StateWeight } from "./state-weight.js";

/** How much is read at once, before yielding to the event loop. */
const SLICE_BYTES = 64 * 1024;

const NOTHING = Buffer.alloc(0);

/** Which file a segment is. */
export interface SegmentFile {
  readonly path: string;
  readonly g: number;
  readonly writable: boolean;
}

/**
 * One file of a journal, and the state that it was folded to. The file may be closed while the state is kept: then it is
 * opened again by the next look, and compared.
 */
export class Segment {
  readonly path: string;
  readonly g: number;
  readonly fold: Fold;
  readonly progress: SyncProgress;
  /** How much of the file was read, an unfinished line at its end included. */
  seen = 0;
  /** How many names the file had at the last look. */
  links = 1;
  /** Whether others had written at the last look. */
  othersWrote = true;
  /** Whether the path still led to this file after the last write. */
  isLinked = true;
  /** Whether the segments that this one replaces are removed. */
  isSwept: boolean;
  readonly #fileSystem: FileSystem;
  readonly #writable: boolean;
  readonly #inode: FileStat["inode"];
  readonly #prefix: ReadPrefix;
  readonly #weight = new StateWeight();
  #file: OpenFile | undefined;

  private constructor(fileSystem: FileSystem, { path, g, writable }: SegmentFile, file: OpenFile) {
    this.path = path;
    this.g = g;
    this.isSwept = g === 1;
    this.#fileSystem = fileSystem;
    this.#writable = writable;
    this.#file = file;
    this.#inode = file.stat().inode;
    const bytesAt = (offset: number, length: number): Buffer => this.#bytesAt(offset, length);
    this.#prefix = new ReadPrefix(bytesAt);
    this.fold = new Fold({ path, bytesAt });
    this.progress = new SyncProgress(fileSystem, path);
  }

  /** `undefined` if there is no such file. */
  static open(fileSystem: FileSystem, segment: SegmentFile): Segment | undefined {
    const file = OpenFile.open(fileSystem, segment.path, segment.writable);
    return file === undefined ? undefined : new Segment(fileSystem, segment, file);
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** About how many bytes of memory the state takes. */
  get weight(): number {
    return this.#weight.of(this.fold.state, this.seen);
  }

  /** How the file was at the last look. */
  get lastStat(): FileStat {
    const { size, changedAt } = this.#prefix.stat;
    return { size, changedAt, inode: this.#inode, links: this.links };
  }

  /** How the file is now; `undefined` if another file, or none, has its path, or if the bytes that were read have changed. */
  look(): FileStat | undefined {
    const stat = this.#file === undefined ? this.#reopen() : this.#fileSystem.stat(this.path);
    return stat !== undefined && this.#isOwn(stat) && this.#prefix.isIn(stat) ? stat : undefined;
  }

  /** Reads on towards the file's size, a slice at a time. `true` when it is there. */
  readTo(stat: FileStat): boolean {
    const { size } = stat;
    this.fold.requireSound();
    this.#prefix.note(stat);
    this.links = stat.links;
    this.othersWrote = size !== this.seen;
    if (!this.othersWrote) return true;
    for (let length = SLICE_BYTES; ; length *= 2) {
      const { end } = this.fold;
      const bytes = this.#bytesAt(end, Math.min(size - end, length));
      this.seen = end + bytes.length;
      this.fold.take(bytes);
      this.#prefix.add(bytes.subarray(0, this.fold.end - end));
      // A line may be longer than a slice: then the slice grows until it holds one.
      if (this.fold.end > end || this.seen >= size || bytes.length < length) return this.seen >= size;
    }
  }

  /** Reads to the end of the file, whatever has become of its name. */
  readToEnd(): Fold {
    const stat = this.#file?.stat();
    while (stat !== undefined && !this.readTo(stat));
    return this.fold;
  }

  /** What was read behind the last whole line. */
  unfinished(): Buffer {
    const { end } = this.fold;
    return this.seen === end ? NOTHING : this.#bytesAt(end, this.seen - end);
  }

  /** Appends in one call. Returns how much of it was written. */
  write(bytes: Buffer): number {
    return this.#openFile().append(bytes);
  }

  /** Whether these bytes stand here. A file that has grown by just them was not written to by others. */
  standsAt(start: number, bytes: Buffer): boolean {
    const stat = this.#fileSystem.stat(this.path);
    this.isLinked = stat?.inode === this.#inode;
    if (stat !== undefined && this.isLinked) {
      this.links = stat.links;
      if (stat.size === start + bytes.length) {
        this.#prefix.note(stat);
        return true;
      }
    }
    return this.holds(start, bytes);
  }

  /** Whether the file, whatever its name is, has these bytes here. */
  holds(start: number, bytes: Buffer): boolean {
    return this.#bytesAt(start, bytes.length).equals(bytes);
  }

  /** Continues behind bytes that were written from `seen` on. `unfinished` is what stood before them. */
  advance(unfinished: Buffer, bytes: Buffer, own: OwnLines): void {
    if (unfinished.length > 0) this.#prefix.add(unfinished);
    this.#prefix.add(bytes);
    this.fold.advance(own);
    this.seen = this.fold.end;
  }

  /** Resolves when everything up to `end` is on the disk, whoever wrote it, and the file's name in these folders. */
  confirm(end: number, folders: readonly string[]): Promise<void> {
    return this.progress.confirm(this.#openFile(), end, folders);
  }

  /** Closes the file. The state stays. */
  release(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** Opens the file again. While it was closed its inode may have become another file's, so header and last line are compared. */
  #reopen(): FileStat | undefined {
    const file = OpenFile.open(this.#fileSystem, this.path, this.#writable);
    this.#file = file;
    const stat = file?.stat();
    if (stat === undefined || !this.#isOwn(stat)) return undefined;
    return this.fold.isFoldOf((offset, length) => this.#bytesAt(offset, length)) ? stat : undefined;
  }

  #isOwn(stat: FileStat): boolean {
    return stat.inode === this.#inode && stat.size >= this.seen;
  }

  #bytesAt(offset: number, length: number): Buffer {
    return this.#openFile().read(offset, length);
  }

  #openFile(): OpenFile {
    if (this.#file === undefined) throw new Error(`${this.path} is not open`);
    return this.#file;
  }
}
