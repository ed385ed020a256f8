import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { createStore, type SessionStore, systemClock } from "@sessions/protocol";
import { asSessionError } from "./error-mapping.js";
import { EventLoopShare } from "./event-loop-share.js";
import { properFileLock } from "./file-lock.js";
import type { FileSystem } from "./file-system.js";
import { JsonFileBackend } from "./json-file-backend.js";
import { nodeFileSystem } from "./node-file-system.js";
import type { JsonFileStoreOptions } from "./options.js";
import { StoreFormat } from "./store-format.js";

/** Opens a folder of journals as a store. Any number of processes may do so at once. */
export async function openJsonFileStore(options: JsonFileStoreOptions): Promise<SessionStore> {
  const { root, durability, rotateBytes, ...storeOptions } = options;
  return createStore(
    await openJsonFileBackend({ root, durability, rotateBytes, clock: storeOptions.clock }),
    storeOptions,
  );
}

/** The backend alone. */
export async function openJsonFileBackend(
  options: Pick<JsonFileStoreOptions, "root" | "durability" | "clock" | "rotateBytes">,
  fileSystem: FileSystem = nodeFileSystem({ folder: 0o700, file: 0o600 }),
): Promise<JsonFileBackend> {
  const root = resolve(options.root);
  const format = new StoreFormat(fileSystem, root);
  try {
    for (const folder of ["sessions", "tmp", "locks"]) fileSystem.makeFolder(join(root, folder));
    await format.establish(root);
  } catch (error) {
    throw asSessionError(error, undefined, root);
  }
  const clock = options.clock ?? systemClock;
  const warn = (): void => undefined;
  return new JsonFileBackend(root, format, {
    fileSystem,
    lock: properFileLock(join(root, "locks"), warn),
    share: new EventLoopShare(),
    warn,
    now: () => clock.now(),
    nonce: (bytes) => randomBytes(bytes).toString("hex"),
    sessions: join(root, "sessions"),
    tmp: join(root, "tmp"),
    strict: options.durability !== "relaxed",
    writable: true,
    rotateBytes: options.rotateBytes ?? 1024 * 1024,
    deadlineMs: 10_000,
  });
}
