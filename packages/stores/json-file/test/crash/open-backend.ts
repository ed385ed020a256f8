import type { Clock, SessionBackend } from "@sessions/protocol/backend";
import type { FileSystem } from "../../src/engine/file-system.js";
import * as backend from "../../src/json-file-backend.js";
import * as context from "../../src/json-file-context.js";
import type { Platform } from "../../src/platform.js";

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

/** Locks and the doorbell protect no data, and must not touch the machine's own disk. */
const OFF_THE_DISK: Partial<Platform> = {
  fileLock: () => ({ acquire: () => Promise.resolve(undefined), present: () => undefined }),
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

/** The parts of the store that open it: the source, or a copy of what was built from it. */
export interface StoreModules {
  readonly backend: Pick<typeof backend, "JsonFileBackend">;
  readonly context: Pick<typeof context, "openJsonFileContext">;
}

/** The store as it is. */
export const openBackend: OpenBackend = opening({ backend, context });

/** How to open a store. */
export function opening({ backend, context }: StoreModules): OpenBackend {
  return async (fileSystem, options) => {
    const all = { root: ROOT, durability: "strict", ...options } as const;
    return new backend.JsonFileBackend(await context.openJsonFileContext(all, fileSystem, OFF_THE_DISK));
  };
}
