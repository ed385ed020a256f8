import { join, resolve } from "node:path";
import { createStore, type SessionStore, systemClock } from "@sessions/protocol";
import { type Access, accessOf, readOnlyRefusal } from "./access.js";
import { checkFileSystem } from "./check-file-system.js";
import { Doorbell } from "./doorbell.js";
import { DoorbellFile } from "./doorbell-file.js";
import { asSessionError } from "./error-mapping.js";
import type { FileSystem } from "./file-system.js";
import { JsonFileBackend } from "./json-file-backend.js";
import { type Modes, nodeFileSystem } from "./node-file-system.js";
import type { JsonFileStoreOptions } from "./options.js";
import { readOnlyFileSystem } from "./read-only-file-system.js";
import { StoreFormat } from "./store-format.js";
import { NODE_SURROUNDINGS, type Surroundings } from "./surroundings.js";
import { Warnings } from "./warnings.js";

/** Opens a folder of journals as a store. Any number of processes may do so at once. */
export async function openJsonFileStore(options: JsonFileStoreOptions): Promise<SessionStore> {
  return createStore(await openJsonFileBackend(options), options);
}

/** The backend alone. */
export async function openJsonFileBackend(
  options: JsonFileStoreOptions,
  given: FileSystem = nodeFileSystem(modesOf(options)),
  surroundings: Surroundings = NODE_SURROUNDINGS,
): Promise<JsonFileBackend> {
  const root = resolve(options.root);
  const warnings = new Warnings(options.onWarning);
  const { probe, watchFolder, netIntervalMs } = surroundings;
  checkFileSystem(root, { probe, allowNetwork: options.allowNetworkFileSystem === true, warnings });
  const access = openedAs(root, options.readOnly, given, warnings);
  const fileSystem = allowed(root, given, access);
  const format = new StoreFormat(fileSystem, root);
  await established(root, format, fileSystem, access);
  const clock = options.clock ?? systemClock;
  const file = new DoorbellFile(join(root, "doorbell"), modesOf(options).file);
  return new JsonFileBackend({
    fileSystem,
    format,
    root,
    access,
    warnings,
    doorbell: new Doorbell({ file, watchFolder, warnings }),
    netIntervalMs,
    strict: options.durability !== "relaxed",
    now: () => clock.now(),
  });
}

function modesOf({ fileMode = 0o600, folderMode = 0o700 }: JsonFileStoreOptions): Modes {
  return { folder: folderMode, file: fileMode };
}

function openedAs(
  root: string,
  readOnly: boolean | undefined,
  fileSystem: FileSystem,
  warnings: Warnings,
): Access {
  try {
    const access = accessOf(root, readOnly, fileSystem);
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
): Promise<void> {
  try {
    if (access.mode === "read-only") return format.check();
    for (const folder of ["sessions", "tmp"]) fileSystem.makeFolder(join(root, folder));
    await format.establish(root);
  } catch (error) {
    throw asSessionError(error, undefined, root);
  }
}
