import { createStore, type SessionStore, storeOptionsOf } from "@sessions/protocol/backend";
import type { FileSystem } from "../src/file-system.js";
import { nodeFileSystem } from "../src/node-file-system.js";
import { openJsonFileBackend } from "../src/open-json-file-store.js";
import type { JsonFileStoreOptions } from "../src/options.js";

/** Calls to fail from now on. A call that is not named works. */
export type Faults = { -readonly [Call in keyof FileSystem]?: Fault<FileSystem[Call]> };

/** Stands in for a call: gets the real one, so that it may do all, some or none of the work before it fails. */
type Fault<Call extends (...given: never[]) => unknown> = (
  real: Call,
  ...given: Parameters<Call>
) => ReturnType<Call>;

/** An error of the operating system. */
export const osError = (code: string): Error => Object.assign(new Error(`${code}: made by a test`), { code });

/** The real file system, whose calls fail as `faults` says at the time of the call. */
function failingFileSystem(faults: Faults): FileSystem {
  const real = nodeFileSystem({ folder: 0o700, file: 0o600 });
  return {
    stat: (path) => (faults.stat ? faults.stat(real.stat, path) : real.stat(path)),
    list: (path) => (faults.list ? faults.list(real.list, path) : real.list(path)),
    makeFolder: (path) =>
      faults.makeFolder ? faults.makeFolder(real.makeFolder, path) : real.makeFolder(path),
    readFile: (path) => (faults.readFile ? faults.readFile(real.readFile, path) : real.readFile(path)),
    create: (path) => (faults.create ? faults.create(real.create, path) : real.create(path)),
    open: (path, writable) =>
      faults.open ? faults.open(real.open, path, writable) : real.open(path, writable),
    close: (file) => (faults.close ? faults.close(real.close, file) : real.close(file)),
    statOpen: (file) => (faults.statOpen ? faults.statOpen(real.statOpen, file) : real.statOpen(file)),
    read: (file, from, length) =>
      faults.read ? faults.read(real.read, file, from, length) : real.read(file, from, length),
    append: (file, bytes) =>
      faults.append ? faults.append(real.append, file, bytes) : real.append(file, bytes),
    sync: (file) => (faults.sync ? faults.sync(real.sync, file) : real.sync(file)),
    syncFolder: (path) =>
      faults.syncFolder ? faults.syncFolder(real.syncFolder, path) : real.syncFolder(path),
    move: (from, to) => (faults.move ? faults.move(real.move, from, to) : real.move(from, to)),
    remove: (path) => (faults.remove ? faults.remove(real.remove, path) : real.remove(path)),
  };
}

export async function openFailing(options: JsonFileStoreOptions, faults: Faults): Promise<SessionStore> {
  const backend = await openJsonFileBackend(options, failingFileSystem(faults));
  return createStore(backend, storeOptionsOf(options));
}
