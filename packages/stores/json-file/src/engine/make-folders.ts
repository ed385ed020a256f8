import { lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { takesNoFolders } from "../error-mapping.js";
import { DanglingLink } from "./dangling-link.js";
import { hasCode } from "./has-code.js";

/**
 * Makes a folder and those above it that are missing. Does nothing if it exists. Not by Node's `recursive`, which never
 * returns where a folder that is there refuses a new one with ENOENT, as /proc does.
 */
export function makeFolders(path: string, mode: number): void {
  const missing = madeOrMissing(path, mode);
  if (missing === undefined) return;
  const parent = dirname(path);
  if (parent === path) throw missing;
  makeFolders(parent, mode);
  const stillMissing = madeOrMissing(path, mode);
  if (stillMissing === undefined) return;
  // Otherwise another process has removed one of them just now, which may pass.
  const isRefusal = hasCode(stillMissing, "ENOENT") && isFolder(parent);
  throw isRefusal ? takesNoFolders(parent, path, stillMissing) : stillMissing;
}

/** The error if the folder could not be made because one above it is missing. */
function madeOrMissing(path: string, mode: number): unknown {
  try {
    mkdirSync(path, { mode });
    return undefined;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return error;
    if (isFolder(path)) return undefined;
    if (isDanglingLink(path)) throw new DanglingLink(path);
    throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isDanglingLink(path: string): boolean {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink && statSync(path, { throwIfNoEntry: false }) === undefined;
}
