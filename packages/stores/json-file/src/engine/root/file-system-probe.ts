import { existsSync, readFileSync, realpathSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { mountFsTypeOf } from "./mount-fs-type.js";
import { isFuse } from "./network-file-system.js";

/** The type of a file system. */
export interface ProbedFileSystem {
  /** The type by `statfs`. */
  readonly type: number | bigint;
  /** The type by the table of mounts, where the other does not say enough. */
  readonly mountFsType?: string;
}

/** Asks for the file system of a path that may not exist yet. Throws if the type cannot be found out. */
export type FileSystemProbe = (path: string) => ProbedFileSystem;

/** Asks the operating system. */
export const probeFileSystem: FileSystemProbe = (path) => {
  // On other systems the numbers have other meanings, or none.
  if (process.platform !== "linux")
    throw new Error(`types of file systems are not known on ${process.platform}`);
  const there = realpathSync(nearestExisting(path));
  const { type } = statfsSync(there);
  if (!isFuse(type)) return { type };
  const mountFsType = mountFsTypeOf(readFileSync("/proc/self/mountinfo", "utf8"), there);
  return mountFsType === undefined ? { type } : { type, mountFsType };
};

/** The path, or the folder in which it would be made. */
function nearestExisting(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(path) ? path : nearestExisting(parent);
}
