import type { FileSystem } from "./file-system.js";

/** A file system on which nothing can be changed: files are opened for reading, every call that changes something is refused. */
export function readOnlyFileSystem(fileSystem: FileSystem, refusal: () => Error): FileSystem {
  const refuse = (): never => {
    throw refusal();
  };
  // One by one and not by a spread: a call that is added later needs a decision here.
  return {
    stat: (path) => fileSystem.stat(path),
    list: (folder) => fileSystem.list(folder),
    readFile: (path) => fileSystem.readFile(path),
    open: (path) => fileSystem.open(path, false),
    close: (file) => fileSystem.close(file),
    statOpen: (file) => fileSystem.statOpen(file),
    read: (file, from, length) => fileSystem.read(file, from, length),
    makeFolder: refuse,
    create: refuse,
    append: refuse,
    move: refuse,
    remove: refuse,
    sync: async () => refuse(),
    syncFolder: async () => refuse(),
  };
}
