import { dirname, join } from "node:path";
import { formatMissing, sessionsMissing } from "../../error-mapping.js";
import { isFolderName } from "../../session/names/is-folder-name.js";
import type { Warnings } from "../../warnings.js";
import type { FileSystem } from "../file-system.js";
import { hasCode } from "../has-code.js";
import type { StoreFormat } from "../store-format.js";

const FOLDERS = ["sessions", "tmp", "locks", "quarantine"];

/** Makes the folder a store, if it is none yet, and puts that on the disk. */
export async function establishRoot(
  root: string,
  fileSystem: FileSystem,
  format: StoreFormat,
  warnings: Warnings,
): Promise<void> {
  const parents = parentsToSync(root, fileSystem);
  const isNew = !isStore(root, fileSystem);
  for (const folder of FOLDERS) fileSystem.makeFolder(join(root, folder));
  // The folders come first, on the disk too: a store that has a format and no sessions has lost them.
  if (isNew) await fileSystem.syncFolder(root);
  await format.establish();
  // Another process may have made all this a moment ago, and may not have waited for the disk yet.
  await fileSystem.syncFolder(root);
  for (const folder of parents) await syncOrWarn(folder, fileSystem, warnings);
}

/** `false` where a store may be made. Fails where one has lost a part: making it again would hide all its sessions. */
function isStore(root: string, fileSystem: FileSystem): boolean {
  const format = join(root, "format.json");
  const sessions = join(root, "sessions");
  if (fileSystem.readFile(format) !== undefined) {
    if (fileSystem.stat(sessions) === undefined) throw sessionsMissing(sessions);
    return true;
  }
  // Read again: another process may have made the store and its first session a moment ago.
  if (fileSystem.list(sessions).some(isFolderName) && fileSystem.readFile(format) === undefined)
    throw formatMissing(format);
  return false;
}

/** The folder that holds the root's name, and those above it that get a new name when the root is made. */
function parentsToSync(root: string, fileSystem: FileSystem): readonly string[] {
  const parents = [dirname(root)];
  for (let folder = dirname(root); fileSystem.stat(folder) === undefined; folder = dirname(folder)) {
    parents.push(dirname(folder));
  }
  return parents;
}

/** A folder above the store may be closed to this process. Then it was most likely made long ago. */
async function syncOrWarn(folder: string, fileSystem: FileSystem, warnings: Warnings): Promise<void> {
  try {
    await fileSystem.syncFolder(folder);
  } catch (cause) {
    if (!hasCode(cause, "EACCES", "EPERM")) throw cause;
    const message = `${folder} could not be synced. If the store was made just now, a power cut may take it away as a whole.`;
    warnings.give({ code: "PARENT_NOT_SYNCED", message, path: folder, cause });
  }
}
