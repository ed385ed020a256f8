import * as fs from "node:fs";
import { promisify } from "node:util";
import { DanglingLink } from "./dangling-link.js";
import type { FileStat, FileSystem } from "./file-system.js";
import { hasCode } from "./has-code.js";
import { makeFolders } from "./make-folders.js";

const fsync = promisify(fs.fsync);

/** The result, or `absent` where there is no such file or folder. Every other failure is thrown. */
function orAbsent<Result, Absent>(call: () => Result, absent: Absent): Result | Absent {
  try {
    return call();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return absent;
    throw error;
  }
}

/** The modes of what the store creates. */
export interface Modes {
  readonly folder: number;
  readonly file: number;
}

const READ = fs.constants.O_RDONLY;
const WRITE = fs.constants.O_RDWR | fs.constants.O_APPEND;

/** The file system of this machine. */
export function nodeFileSystem(modes: Modes): FileSystem {
  return {
    stat(path) {
      const stat = fs.statSync(path, { throwIfNoEntry: false });
      // Another process may create the folder between the two calls: only a link is an error.
      if (stat === undefined && fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new DanglingLink(path);
      return stat && fileStat(stat, () => fs.statSync(path, { bigint: true, throwIfNoEntry: false }));
    },
    list: (folder) => orAbsent(() => fs.readdirSync(folder), []),
    makeFolder: (path) => makeFolders(path, modes.folder),
    readFile: (path) => orAbsent(() => fs.readFileSync(path, "utf8"), undefined),
    create: (path) => fs.openSync(path, "ax+", modes.file),
    open: (path, writable) => orAbsent(() => fs.openSync(path, writable ? WRITE : READ), undefined),
    close: (file) => fs.closeSync(file),
    statOpen: (file) => fileStat(fs.fstatSync(file), () => fs.fstatSync(file, { bigint: true })),
    read(file, from, length) {
      const bytes = Buffer.allocUnsafe(length);
      let read = 0;
      while (read < length) {
        const some = fs.readSync(file, bytes, read, length - read, from + read);
        if (some === 0) break;
        read += some;
      }
      return bytes.subarray(0, read);
    },
    append: (file, bytes) => fs.writeSync(file, bytes),
    // By hand, which costs less than `promisify`: every commit waits for this.
    sync: (file) =>
      new Promise((resolve, reject) => {
        fs.fdatasync(file, (error) => (error === null ? resolve() : reject(error)));
      }),
    async syncFolder(path) {
      const folder = fs.openSync(path, "r");
      try {
        await fsync(folder);
      } finally {
        fs.closeSync(folder);
      }
    },
    move(from, to) {
      try {
        fs.renameSync(from, to);
        return "moved";
      } catch (error) {
        if (hasCode(error, "ENOTEMPTY", "EEXIST")) return "occupied";
        if (hasCode(error, "ENOENT")) return "missing";
        throw error;
      }
    },
    remove: (path) => fs.rmSync(path, { recursive: true, force: true }),
  };
}

/** Numbers cost half of what bigints do. Only inodes may be too large for them: then they are asked for again. */
function fileStat(
  { size, ino, nlink, ctimeMs }: fs.Stats,
  exactly: () => fs.BigIntStats | undefined,
): FileStat {
  const inode = Number.isSafeInteger(ino) ? ino : (exactly()?.ino ?? ino);
  return { size, inode, links: nlink, changedAt: ctimeMs };
}
