import { dirname, join, resolve } from "node:path";
import {
  type LeaseClock,
  loopShare,
  requireOptions,
  SessionError,
  systemClock,
} from "@sessions/protocol/backend";
import { leftovers } from "./commit/leftovers.js";
import { FileHandles } from "./engine/file-handles.js";
import type { FileSystem } from "./engine/file-system.js";
import { hasCode } from "./engine/has-code.js";
import { type Modes, nodeFileSystem } from "./engine/node-file-system.js";
import { nonce } from "./engine/nonce.js";
import { readOnlyFileSystem } from "./engine/read-only-file-system.js";
import { type Access, accessOf, readOnlyRefusal } from "./engine/root/access.js";
import { checkFileSystem } from "./engine/root/check-file-system.js";
import { StoreFormat } from "./engine/store-format.js";
import { asSessionError, formatMissing, sessionsMissing } from "./error-mapping.js";
import { Doorbell } from "./feed/change-notifier.js";
import type { NetInterval } from "./feed/poll-interval.js";
import { JSON_FILE_STORE_OPTIONS, type JsonFileStoreOptions } from "./options.js";
import { NODE_SURROUNDINGS, type Surroundings } from "./platform.js";
import type { JournalContext } from "./session/journal-folder.js";
import { isSessionName } from "./session/names/is-folder-name.js";
import { sweepAbandoned } from "./upkeep/sweep-abandoned.js";
import { Warnings } from "./warnings.js";

const MEGABYTE = 1024 * 1024;
const FOLDERS = ["sessions", "tmp", "locks", "quarantine"];

/** What a backend on a folder works with. */
export interface JsonFileContext extends JournalContext {
  readonly root: string;
  readonly access: Access;
  readonly handles: FileHandles;
  readonly doorbell: Doorbell;
  readonly netIntervalMs: NetInterval;
  readonly leaseClock: LeaseClock | undefined;
}

/** Makes the folder a store, if it is none yet, and brings together what works on it. */
export async function openJsonFileContext(
  unchecked: JsonFileStoreOptions,
  fileSystemGiven?: FileSystem,
  surroundings: Partial<Surroundings> = {},
): Promise<JsonFileContext> {
  const options = requireOptions(unchecked, JSON_FILE_STORE_OPTIONS);
  const given = fileSystemGiven ?? nodeFileSystem(modesOf(options));
  const root = resolve(requireRoot(options.root));
  const warnings = new Warnings(options.onWarning);
  const { probe, writeRefusal, watchFolder, netIntervalMs, doorbellFile, fileLock, leaseClock } = {
    ...NODE_SURROUNDINGS,
    ...surroundings,
  };
  checkFileSystem(root, { probe, allowNetwork: options.allowNetworkFileSystem === true, warnings });
  const access = openedAs(root, options.readOnly, { fileSystem: given, writeRefusal, warnings });
  const handles = new FileHandles(allowed(root, given, access), warnings, join(root, "format.json"));
  const fileSystem = handles.sparing();
  const format = new StoreFormat(fileSystem, root, nonce);
  await established(root, format, fileSystem, access, warnings);
  const clock = options.clock ?? systemClock;
  if (access.mode === "read-write") sweep(join(root, "tmp"), fileSystem, clock.now(), warnings);
  const bell = doorbellFile(join(root, "doorbell"), modesOf(options).file);
  return {
    root,
    format,
    access,
    warnings,
    fileSystem,
    handles,
    netIntervalMs,
    leaseClock: leaseClock(),
    doorbell: new Doorbell({ file: bell, watchFolder, warnings }),
    lock: fileLock(join(root, "locks"), warnings, modesOf(options).folder),
    share: loopShare,
    now: () => clock.now(),
    nonce,
    sessions: join(root, "sessions"),
    tmp: join(root, "tmp"),
    strict: options.durability !== "relaxed",
    writable: access.mode === "read-write",
    rotateBytes: options.rotateBytes ?? MEGABYTE,
    deadlineMs: options.lockDeadlineMs ?? 10_000,
  };
}

function requireRoot(root: string | undefined): string {
  if (root !== undefined && !root.includes("\0")) return root;
  const message = "options.root must be the path of a folder, such as ./sessions.";
  throw SessionError.of("INVALID_ARGUMENT", message, { path: "options.root" });
}

function modesOf({ fileMode = 0o600, folderMode = 0o700 }: JsonFileStoreOptions): Modes {
  return { folder: folderMode, file: fileMode };
}

function openedAs(
  root: string,
  readOnly: boolean | undefined,
  { warnings, ...system }: Parameters<typeof accessOf>[2] & { readonly warnings: Warnings },
): Access {
  try {
    const access = accessOf(root, readOnly, system);
    if (access.mode === "read-only") {
      const message = `The store in ${root} is open read-only, because ${access.reason}.`;
      warnings.give({ code: "READ_ONLY", message, path: root });
    }
    return access;
  } catch (error) {
    throw asSessionError(error, undefined, root);
  }
}

function allowed(root: string, fileSystem: FileSystem, access: Access): FileSystem {
  if (access.mode === "read-write") return fileSystem;
  return readOnlyFileSystem(fileSystem, () => readOnlyRefusal(root, access.reason));
}

async function established(
  root: string,
  format: StoreFormat,
  fileSystem: FileSystem,
  access: Access,
  warnings: Warnings,
): Promise<void> {
  try {
    if (access.mode === "read-only") return format.checkOnce();
    const parents = parentsToSync(root, fileSystem);
    const isNew = !isStore(root, fileSystem);
    for (const folder of FOLDERS) fileSystem.makeFolder(join(root, folder));
    // The folders come first, on the disk too: a store that has a format and no sessions has lost them.
    if (isNew) await fileSystem.syncFolder(root);
    await format.establish();
    // Somebody else may have made all this a moment ago, and may not have waited for the disk yet.
    await fileSystem.syncFolder(root);
    for (const folder of parents) await syncedOrWarned(folder, fileSystem, warnings);
  } catch (error) {
    throw asSessionError(error, undefined, root);
  }
}

/** `false` where a store may be made. Fails where one has lost a part: making that anew would hide all its sessions. */
function isStore(root: string, fileSystem: FileSystem): boolean {
  const format = join(root, "format.json");
  const sessions = join(root, "sessions");
  if (fileSystem.readFile(format) !== undefined) {
    if (fileSystem.stat(sessions) === undefined) throw sessionsMissing(sessions);
    return true;
  }
  // Looked at again: somebody else may have made the store and its first session a moment ago.
  if (fileSystem.list(sessions).some(isSessionName) && fileSystem.readFile(format) === undefined)
    throw formatMissing(format);
  return false;
}

/** What cannot be swept takes room and does no harm: the store opens all the same. */
function sweep(tmp: string, fileSystem: FileSystem, now: number, warnings: Warnings): void {
  try {
    sweepAbandoned(tmp, fileSystem, now);
  } catch (cause) {
    warnings.give(leftovers(tmp, cause));
  }
}

/** The folder that holds the root's name, and those above it that get a new name when the root is made. */
function parentsToSync(root: string, fileSystem: FileSystem): readonly string[] {
  const parents = [dirname(root)];
  for (let folder = dirname(root); fileSystem.stat(folder) === undefined; folder = dirname(folder)) {
    parents.push(dirname(folder));
  }
  return parents;
}

/** A folder above the store may be closed to this process. Then it was made by somebody else, long ago most likely. */
async function syncedOrWarned(folder: string, fileSystem: FileSystem, warnings: Warnings): Promise<void> {
  try {
    await fileSystem.syncFolder(folder);
  } catch (cause) {
    if (!hasCode(cause, "EACCES", "EPERM")) throw cause;
    const message = `${folder} could not be synced. If the store was made just now, a power cut may take it away as a whole.`;
    warnings.give({ code: "PARENT_NOT_SYNCED", message, path: folder, cause });
  }
}
