import type { Clock, SessionBackend } from "@sessions/protocol/backend";
import type { FileSystem } from "../../src/engine/file-system.js";
import * as store from "../../src/open-json-file-store.js";
import type { Surroundings } from "../../src/platform.js";

/** What a store on a disk is opened with. */
export interface BackendOptions {
  readonly clock: Clock;
  /** How large a segment gets before the journal goes on in another. */
  readonly rotateBytes?: number;
}

/** Opens the store, or a broken twin of it, as a process that sees a disk through `fileSystem`. */
export type OpenBackend = (fileSystem: FileSystem, options: BackendOptions) => Promise<SessionBackend>;

/** The folder of the store. */
export const ROOT = "/data/store";

/** Locks and bells order and hurry writers; they protect nothing, and must not touch the machine's own disk. */
const OFF_THE_DISK: Partial<Surroundings> = {
  fileLock: () => ({ acquire: () => Promise.resolve(undefined), standing: () => undefined }),
  doorbellFile: (path) => ({
    path,
    append: () => undefined,
    skip: () => undefined,
    news: () => new Set(),
    close: () => undefined,
  }),
  probe: () => ({ type: 0 }),
  writeRefusal: () => undefined,
};

/** The store as it is. */
export const openBackend: OpenBackend = opening(store);

/** How to open the store of a module: the source, or a copy of what was built from it. */
export function opening(module: unknown): OpenBackend {
  if (!isStoreModule(module)) throw new Error("the module does not open a store");
  return (fileSystem, options) =>
    module.openJsonFileBackend({ root: ROOT, durability: "strict", ...options }, fileSystem, OFF_THE_DISK);
}

function isStoreModule(module: unknown): module is Pick<typeof store, "openJsonFileBackend"> {
  return typeof module === "object" && module !== null && "openJsonFileBackend" in module;
}
