import { createStore, type SessionStore, storeOptionsOf } from "@sessions/protocol/backend";
import type { FileSystem } from "./engine/file-system.js";
import { JsonFileBackend } from "./json-file-backend.js";
import { openJsonFileContext } from "./json-file-context.js";
import type { JsonFileStoreOptions } from "./options.js";
import type { Surroundings } from "./platform.js";

/** Opens a folder of journals as a store. Any number of processes may do so at once. */
export async function openJsonFileStore(options: JsonFileStoreOptions): Promise<SessionStore> {
  const storeOptions = storeOptionsOf(options);
  const backend = await openJsonFileBackend(options);
  return createStore(backend, storeOptions);
}

/** The backend alone. */
export async function openJsonFileBackend(
  options: JsonFileStoreOptions,
  fileSystem?: FileSystem,
  surroundings?: Partial<Surroundings>,
): Promise<JsonFileBackend> {
  return new JsonFileBackend(await openJsonFileContext(options, fileSystem, surroundings));
}
