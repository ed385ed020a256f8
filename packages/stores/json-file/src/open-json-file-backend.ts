import type { SessionBackend } from "@sessions/protocol/backend";
import { JsonFileBackend } from "./json-file-backend.js";
import { openJsonFileContext } from "./json-file-context.js";
import type { JsonFileStoreOptions } from "./options.js";

/** Opens a folder of journals as a backend, for tools that put something between it and `createStore`. */
export async function openJsonFileBackend(options: JsonFileStoreOptions): Promise<SessionBackend> {
  return new JsonFileBackend(await openJsonFileContext(options));
}
