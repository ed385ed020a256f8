/** What the store asks of a file: its size, and which file it is. */
export interface FileStat {
  readonly size: number;
  /** Identifies the file while it exists. The number of a removed file may be used again at once. */
  readonly inode: number | bigint;
  /** How many names the file has. */
  readonly links: number;
  /** The time of the last change, in milliseconds. Two changes within one step of the clock have the same time. */
  readonly changedAt: number;
}

/** The outcome of a move: done, or the target exists and is not empty, or the source does not exist. */
export type Moved = "moved" | "occupied" | "missing";

/**
 * The calls that the store makes on its data, and no others: handed in, so that a test can record them and cut the
 * power after any of them. Reading and writing are synchronous, because they come from and go to the page cache; what
 * waits for the disk is not.
 */
export interface FileSystem {
  /** `undefined` if there is no such file or folder. Fails for a link that leads nowhere: that is not absence. */
  stat(path: string): FileStat | undefined;
  /** Names in a folder; none if there is no such folder. */
  list(folder: string): readonly string[];
  /** With its parents. Does nothing if it exists. */
  makeFolder(path: string): void;
  /** Whole contents of a small file; `undefined` if there is none. */
  readFile(path: string): string | undefined;
  /** A new file for appending. Fails if there is one. */
  create(path: string): number;
  /** An existing file for reading, and for appending if `writable`. `undefined` if there is none. */
  open(path: string, writable: boolean): number | undefined;
  close(file: number): void;
  statOpen(file: number): FileStat;
  /** Fewer bytes than asked for only where the file ends. */
  read(file: number, from: number, length: number): Buffer;
  /** Appends in one call. Returns how much of it was written. */
  append(file: number, bytes: Buffer): number;
  /** Resolves when what was written is on the disk. */
  sync(file: number): Promise<void>;
  /** Resolves when the names in a folder are on the disk. */
  syncFolder(path: string): Promise<void>;
  /** Atomic. Never replaces a folder that has something in it. */
  move(from: string, to: string): Moved;
  /** A file, or a folder with its contents. Does nothing if it does not exist. */
  remove(path: string): void;
}
