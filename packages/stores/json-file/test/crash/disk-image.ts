import type { Inode } from "./disk-event.js";

/** The names in a folder. */
type Names = ReadonlyMap<string, Inode>;

/** Everything on a disk: contents of files, and names in folders. Contents are shared between images, never changed. */
export interface DiskImage {
  readonly files: ReadonlyMap<Inode, Buffer>;
  readonly folders: ReadonlyMap<Inode, Names>;
}

/** The folder that all paths begin at. */
export const TOP: Inode = 1;

export const EMPTY_DISK: DiskImage = { files: new Map(), folders: new Map([[TOP, new Map()]]) };

/** Every path of a disk with what it names, in one order for all disks that have the same paths. */
export function pathsOf(folders: DiskImage["folders"]): readonly (readonly [string, Inode])[] {
  const paths: [string, Inode][] = [];
  const walk = (path: string, folder: Inode): void => {
    const names = [...(folders.get(folder) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, inode] of names) {
      paths.push([`${path}/${name}`, inode]);
      if (folders.has(inode)) walk(`${path}/${name}`, inode);
    }
  };
  walk("", TOP);
  return paths;
}
