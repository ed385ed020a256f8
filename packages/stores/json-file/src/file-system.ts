/** What the store asks of a file: its size, and which file it is. */
interface FileStat {
  readonly size: number;
  /** A path that names another file than before has another one of these (they may be used again). */
  readonly inode: bigint;
}

/**
 * The calls that the store makes, and no others: handed in, so that a test can record them and cut the power after
 * any of them. Reading and writing are synchronous, because they come from and go to the page cache; what waits for
 * the disk is not.
 */
export interface FileSystem {
  /** `undefined` if there is no such file or folder. */
  stat(path: string): FileStat | undefined;
  /** Names in a folder; none if there is no such folder. */
  list(folder: string): readonly string[];
  makeFolder(path: string): void;
  /** Whole contents of a small file; `undefined` if there is none. */
  readFile(path: string): string | undefined;
  /** A new file for appending. Fails if there is one. */
  create(path: string): number;
  /** An existing file for reading and appending. */
  open(path: string): number;
  close(file: number): void;
  size(file: number): number;
  read(file: number, from: number, length: number): Buffer;
  /** Appends in one call. Returns how much of it was written. */
  append(file: number, bytes: Buffer): number;
  /** Resolves when what was written is on the disk. */
  sync(file: number): Promise<void>;
  /** Resolves when the names in a folder are on the disk. */
  syncFolder(path: string): Promise<void>;
  /** Atomic. `false` if the target is a folder that is there already. */
  moveFolder(from: string, to: string): boolean;
  remove(path: string): void;
}
