import * as fs from "node:fs";
import { hasCode } from "../engine/has-code.js";

/** From this size on the file is emptied: it holds hints, and old hints are useless. */
const LARGEST = 64 * 1024;

/** Names as `folderName` makes them. The file is only a hint, so anything else in it is nothing to follow. */
const FOLDER = /^[a-z0-9_~-]{1,255}$/;

const { O_WRONLY, O_APPEND, O_CREAT } = fs.constants;

/** What all processes of a store write the folders to that have changed, and read them from. */
export interface DoorbellFile {
  readonly path: string;
  append(folders: readonly string[]): void;
  /** From now on only what is added is news. */
  skip(): void;
  /** The folders that were added since; "all" if that cannot be determined. */
  news(): ReadonlySet<string> | "all";
  close(): void;
}

/** A file that everybody appends to, a folder name per line. */
export class AppendedDoorbellFile implements DoorbellFile {
  readonly path: string;
  readonly #mode: number;
  #writing: number | undefined;
  /** Which file was read, and how far. */
  #inode: number | undefined;
  #read = 0;

  constructor(path: string, mode: number) {
    this.path = path;
    this.#mode = mode;
  }

  append(folders: readonly string[]): void {
    const { file, size } = this.#open();
    // Others append at the end, wherever that is; those who read notice that the file is shorter.
    if (size > LARGEST) fs.ftruncateSync(file);
    fs.writeSync(file, `${folders.join("\n")}\n`); // one call, so that lines of several processes do not mix
  }

  skip(): void {
    const stat = fs.statSync(this.path, { throwIfNoEntry: false });
    this.#inode = stat?.ino;
    this.#read = stat?.size ?? 0;
  }

  news(): ReadonlySet<string> | "all" {
    const file = openToRead(this.path);
    if (file === undefined) return this.#gone();
    try {
      return this.#newsIn(file, fs.fstatSync(file));
    } finally {
      fs.closeSync(file);
    }
  }

  close(): void {
    if (this.#writing !== undefined) fs.closeSync(this.#writing);
    this.#writing = undefined;
  }

  #open(): { readonly file: number; readonly size: number } {
    const known = this.#writing === undefined ? undefined : fs.fstatSync(this.#writing);
    if (this.#writing !== undefined && known !== undefined && known.nlink > 0) {
      return { file: this.#writing, size: known.size };
    }
    this.close(); // the file was removed: what is written to it now reaches no reader
    const file = fs.openSync(this.path, O_WRONLY | O_APPEND | O_CREAT, this.#mode);
    this.#writing = file;
    return { file, size: fs.fstatSync(file).size };
  }

  /** What was added before the file was removed is not known. */
  #gone(): ReadonlySet<string> | "all" {
    const hadOne = this.#inode !== undefined;
    this.#inode = undefined;
    this.#read = 0;
    return hadOne ? "all" : new Set();
  }

  #newsIn(file: number, { ino, size }: fs.Stats): ReadonlySet<string> | "all" {
    const another = this.#inode !== undefined && this.#inode !== ino;
    this.#inode = ino;
    if (!another && size >= this.#read && size - this.#read <= 2 * LARGEST) return this.#lines(file, size);
    this.#read = size;
    return "all";
  }

  #lines(file: number, size: number): ReadonlySet<string> {
    const bytes = Buffer.alloc(size - this.#read);
    const length = fs.readSync(file, bytes, 0, bytes.length, this.#read);
    const whole = bytes.subarray(0, length).lastIndexOf(10) + 1;
    this.#read += whole;
    const lines = bytes.toString("latin1", 0, whole).split("\n");
    return new Set(lines.filter((line) => FOLDER.test(line)));
  }
}

function openToRead(path: string): number | undefined {
  try {
    return fs.openSync(path, "r");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
