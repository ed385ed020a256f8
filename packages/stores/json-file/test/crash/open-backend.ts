import type { Clock, SessionBackend } from "@sessions/protocol";
import type { FileSystem } from "../../src/file-system.js";
import * as store from "../../src/open-json-file-store.js";

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

/** The store as it is. */
export const openBackend: OpenBackend = opening(store);

/** How to open the store of a module: the source, or a copy of what was built from it. */
export function opening(module: unknown): OpenBackend {
  if (!isStoreModule(module)) throw new Error("the module does not open a store");
  return (fileSystem, options) =>
    module.openJsonFileBackend({ root: ROOT, durability: "strict", ...options }, fileSystem);
}

function isStoreModule(module: unknown): module is Pick<typeof store, "openJsonFileBackend"> {
  return typeof module === "object" && module !== null && "openJsonFileBackend" in module;
}
