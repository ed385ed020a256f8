import * as fs from "node:fs";
import { promisify } from "node:util";
import type { FileSystem } from "./file-system.js";

const fdatasync = promisify(fs.fdatasync);
const fsync = promisify(fs.fsync);

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** The result, or `absent` where there is no such file or folder. Every other failure is thrown. */
function orAbsent<Result, Absent>(call: () => Result, absent: Absent): Result | Absent {
  try {
    return call();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return absent;
    throw error;
  }
}

/** The file system of this machine. */
export const nodeFileSystem: FileSystem = {
  stat(path) {
    const stat = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? undefined : { size: Number(stat.size), inode: stat.ino };
  },
  list: (folder) => orAbsent(() => fs.readdirSync(folder), []),
  makeFolder(path) {
    fs.mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  },
  readFile: (path) => orAbsent(() => fs.readFileSync(path, "utf8"), undefined),
  create: (path) => fs.openSync(path, "ax+", FILE_MODE),
  open: (path) => fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_APPEND),
  close: (file) => fs.closeSync(file),
  size: (file) => fs.fstatSync(file).size,
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
  sync: (file) => fdatasync(file),
  async syncFolder(path) {
    const folder = fs.openSync(path, "r");
    try {
      await fsync(folder);
    } finally {
      fs.closeSync(folder);
    }
  },
  moveFolder(from, to) {
    try {
      fs.renameSync(from, to);
      return true;
    } catch (error) {
      if (hasCode(error, "ENOTEMPTY", "EEXIST")) return false;
      throw error;
    }
  },
  remove: (path) => fs.rmSync(path, { recursive: true, force: true }),
};
