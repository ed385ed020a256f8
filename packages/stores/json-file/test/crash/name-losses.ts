import type { DiskCache } from "./disk-cache.js";
import type { Inode, Named } from "./disk-event.js";
import type { DiskImage } from "./disk-image.js";

/** Names as a power cut leaves them. */
export interface NameLoss {
  readonly how: string;
  /** All kept, or all lost. */
  readonly extreme: boolean;
  readonly folders: DiskImage["folders"];
}

/** Up to this many undoable changes, every combination of them is tried. */
const MAX_COMBINED = 6;

/** Every way in which changes of names may be lost: each is durable, or kept by luck, or undone. */
export function nameLosses(cache: DiskCache): readonly NameLoss[] {
  const undoable = cache.undoable();
  return lostSets(undoable).map((lost) => ({
    how: describeLost(lost),
    extreme: lost.size === 0 || lost.size === undoable.length,
    folders: without(cache, lost),
  }));
}

/** All changes of names undone that can be. */
export function namesLost(cache: DiskCache): DiskImage["folders"] {
  return without(cache, new Set(cache.undoable()));
}

function lostSets(undoable: readonly Named[]): readonly ReadonlySet<Named>[] {
  if (undoable.length > MAX_COMBINED)
    return [new Set(), new Set(undoable), ...undoable.map((change) => new Set([change]))];
  return Array.from(
    { length: 2 ** undoable.length },
    (_, bits) => new Set(undoable.filter((_change, index) => (bits >> index) % 2 === 1)),
  );
}

function without(cache: DiskCache, lost: ReadonlySet<Named>): DiskImage["folders"] {
  const folders = new Map<Inode, Map<string, Inode>>();
  for (const [inode, names] of cache.folders) folders.set(inode, new Map(names));
  for (const { change } of cache.changes) {
    // A folder is there as soon as anything names it, also if the name that it was made with is lost.
    const made = change.call === "makeFolder" ? change.slots[0]?.inode : undefined;
    if (made !== undefined) folders.set(made, new Map());
    if (!lost.has(change)) rename(folders, change);
  }
  return folders;
}

function rename(folders: ReadonlyMap<Inode, Map<string, Inode>>, { slots }: Named): void {
  for (const { folder, name, inode } of slots) {
    if (inode === undefined) folders.get(folder)?.delete(name);
    else folders.get(folder)?.set(name, inode);
  }
}

function describeLost(lost: ReadonlySet<Named>): string {
  return lost.size === 0
    ? "all names kept"
    : `lost ${[...lost].map(({ call, path }) => `${call} ${path}`).join(", ")}`;
}
