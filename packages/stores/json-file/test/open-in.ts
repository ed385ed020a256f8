import { createStore, storeOptionsOf } from "@sessions/protocol/backend";
import type { SessionStore } from "../src/index.js";
import { nodeFileSystem } from "../src/node-file-system.js";
import { openJsonFileBackend } from "../src/open-json-file-store.js";
import type { JsonFileStoreOptions } from "../src/options.js";
import { NODE_SURROUNDINGS, type Surroundings } from "../src/surroundings.js";

/** A store whose surroundings a test has changed. */
export async function openIn(
  options: JsonFileStoreOptions,
  surroundings: Partial<Surroundings>,
): Promise<SessionStore> {
  const fileSystem = nodeFileSystem({ folder: 0o700, file: 0o600 });
  const backend = await openJsonFileBackend(options, fileSystem, { ...NODE_SURROUNDINGS, ...surroundings });
  return createStore(backend, storeOptionsOf(options));
}

/** No net: what no ring tells of is never found. */
export const WITHOUT_NET: Partial<Surroundings> = { netIntervalMs: () => 3_600_000 };

/** No `fs.watch`, as on a machine whose watches are used up. */
export const WITHOUT_WATCHES: Partial<Surroundings> = {
  watchFolder: () => {
    throw Object.assign(new Error("no watches left"), { code: "ENOSPC" });
  },
};
