import { createStore, type SessionStore, storeOptionsOf } from "@sessions/protocol/backend";
import { openJsonFileBackend } from "./open-json-file-backend.js";
import type { JsonFileStoreOptions } from "./options.js";

/** Opens a folder of journals as a store. Any number of processes may do so at once. */
export async function openJsonFileStore(options: JsonFileStoreOptions): Promise<SessionStore> {
  const storeOptions = storeOptionsOf(options);
  return createStore(await openJsonFileBackend(options), storeOptions);
}
