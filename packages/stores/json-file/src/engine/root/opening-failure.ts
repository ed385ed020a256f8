import { SessionError } from "@sessions/protocol";
import { asSessionError } from "../../error-mapping.js";
import { DanglingLink } from "../dangling-link.js";
import type { FileSystem } from "../file-system.js";
import { hasCode } from "../has-code.js";

/** Why a folder could not be opened as a store, as callers see it. A retry meets the same refusal, so it says that none can help. */
export function openingFailure(error: unknown, root: string, fileSystem: FileSystem): SessionError {
  if (error instanceof DanglingLink)
    return lasting(`${error.message}. Put back what it led to, or name another folder.`, error);
  if (hasCode(error, "ENOTDIR", "EEXIST")) return notAFolder(root, isThere(root, fileSystem), error);
  if (hasCode(error, "EACCES", "EPERM"))
    return lasting(
      `This process may not write to ${root}. Give it the right, or name another folder.`,
      error,
    );
  if (hasCode(error, "EROFS"))
    return lasting(`${root} is on a file system that is mounted read-only. Name a folder elsewhere.`, error);
  if (hasCode(error, "ENAMETOOLONG"))
    return lasting(`The name of ${root}, or that of a folder on its path, is too long.`, error);
  if (hasCode(error, "ELOOP")) return lasting(`There are too many links on the path of ${root}.`, error);
  return asSessionError(error, undefined, root);
}

/** Whether the root itself is there; then a failure for lack of a folder is about the root, or about something in it. */
function isThere(root: string, fileSystem: FileSystem): boolean {
  try {
    return fileSystem.stat(root) !== undefined;
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return false;
    throw error;
  }
}

function notAFolder(root: string, isRootThere: boolean, cause: unknown): SessionError {
  if (!isRootThere)
    return lasting(
      `Something on the path of ${root} is a file and not a folder. Name another folder.`,
      cause,
    );
  const message = `${root} is a file, or holds a file in the place of a folder of the store. Name another folder. Nothing was changed.`;
  return SessionError.of("INVALID_ARGUMENT", message, { path: "options.root", cause });
}

function lasting(message: string, cause: unknown): SessionError {
  return SessionError.of("STORE_UNAVAILABLE", message, { cause, retryable: false });
}
