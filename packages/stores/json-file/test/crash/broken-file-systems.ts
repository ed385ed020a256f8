import type { FileSystem } from "../../src/engine/file-system.js";

/** Resolves syncs of folders without doing anything. */
export function noFolderSync(fileSystem: FileSystem): FileSystem {
  return altered(fileSystem, { syncFolder: () => Promise.resolve() });
}

/** Syncs a new file only after a move: it is in place before its data are on the disk. */
export function lateSync(fileSystem: FileSystem): FileSystem {
  const created = new Set<number>();
  const late = new Set<number>();
  let moved = false;
  return altered(fileSystem, {
    create(path) {
      const file = fileSystem.create(path);
      created.add(file);
      return file;
    },
    async sync(file) {
      if (created.has(file)) late.add(file);
      else await fileSystem.sync(file);
    },
    close(file) {
      created.delete(file);
      if (!late.has(file)) fileSystem.close(file);
    },
    move(from, to) {
      moved = true;
      return fileSystem.move(from, to);
    },
    async syncFolder(path) {
      if (moved) await syncAll(fileSystem, late);
      await fileSystem.syncFolder(path);
    },
  });
}

async function syncAll(fileSystem: FileSystem, late: Set<number>): Promise<void> {
  for (const file of late) {
    await fileSystem.sync(file);
    fileSystem.close(file);
    late.delete(file);
  }
}

/** Another process removes every candidate as an orphan, between its sync and the seal that names it. */
export function sweptCandidates(fileSystem: FileSystem): FileSystem {
  return altered(fileSystem, {
    async syncFolder(path) {
      await fileSystem.syncFolder(path);
      const orphans = fileSystem.list(path).filter((name) => name.endsWith(".candidate"));
      for (const name of orphans) fileSystem.remove(`${path}/${name}`);
    },
  });
}

/** A file system with some calls replaced. */
function altered(fileSystem: FileSystem, calls: Partial<FileSystem>): FileSystem {
  const same: FileSystem = {
    stat: (path) => fileSystem.stat(path),
    list: (folder) => fileSystem.list(folder),
    makeFolder: (path) => fileSystem.makeFolder(path),
    readFile: (path) => fileSystem.readFile(path),
    create: (path) => fileSystem.create(path),
    open: (path, writable) => fileSystem.open(path, writable),
    close: (file) => fileSystem.close(file),
    statOpen: (file) => fileSystem.statOpen(file),
    read: (file, from, length) => fileSystem.read(file, from, length),
    append: (file, bytes) => fileSystem.append(file, bytes),
    sync: (file) => fileSystem.sync(file),
    syncFolder: (path) => fileSystem.syncFolder(path),
    move: (from, to) => fileSystem.move(from, to),
    remove: (path) => fileSystem.remove(path),
  };
  return { ...same, ...calls };
}
