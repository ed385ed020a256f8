import { join, resolve } from "node:path";
import { createStore, type SessionStore, systemClock } from "@sessions/protocol";
import { asSessionError } from "./error-mapping.js";
import type { FileSystem } from "./file-system.js";
import { JsonFileBackend } from "./json-file-backend.js";
import { nodeFileSystem } from "./node-file-system.js";
import type { JsonFileStoreOptions } from "./options.js";
import { StoreFormat } from "./store-format.js";

/** Opens a folder of journals as a store. Any number of processes may do so at once. */
export async function openJsonFileStore(options: JsonFileStoreOptions): Promise<SessionStore> {
  const { root, durability, ...storeOptions } = options;
  return createStore(
    await openJsonFileBackend({ root, durability, clock: storeOptions.clock }),
    storeOptions,
  );
}

/** The backend alone. */
export async function openJsonFileBackend(
  options: Pick<JsonFileStoreOptions, "root" | "durability" | "clock">,
  fileSystem: FileSystem = nodeFileSystem({ folder: 0o700, file: 0o600 }),
): Promise<JsonFileBackend> {
  const root = resolve(options.root);
  const format = new StoreFormat(fileSystem, root);
  try {
    for (const folder of ["sessions", "tmp"]) fileSystem.makeFolder(join(root, folder));
    await format.establish(root);
  } catch (error) {
    throw asSessionError(error, undefined, root);
  }
  const clock = options.clock ?? systemClock;
  return new JsonFileBackend({
    fileSystem,
    format,
    root,
    strict: options.durability !== "relaxed",
    now: () => clock.now(),
  });
}
