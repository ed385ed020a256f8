import type { DiskEvent, Inode, Named, Slot } from "./disk-event.js";
import type { DiskImage } from "./disk-image.js";

/** An append, and where it stands in its file. */
export interface Write {
  readonly process: string;
  readonly from: number;
  readonly end: number;
}

/** A file of which the disk has confirmed only the first `synced` bytes. */
export interface CachedFile {
  readonly bytes: Buffer;
  readonly synced: number;
  readonly writes: readonly Write[];
}

/** What was the case when a sync began. */
type Begun = { readonly inode: Inode; readonly size: number; readonly changes: number };

/** What is durable on a disk and what is only in its cache, event by event. */
export class DiskCache {
  readonly files = new Map<Inode, CachedFile>();
  readonly folders: DiskImage["folders"];
  /** Changes of names since the beginning, in order. */
  readonly changes: { readonly change: Named; durable: boolean }[] = [];
  readonly #begun = new Map<number, Begun>();

  constructor(base: DiskImage) {
    this.folders = base.folders;
    for (const [inode, bytes] of base.files)
      this.files.set(inode, { bytes, synced: bytes.length, writes: [] });
  }

  take(event: DiskEvent): void {
    if (event.kind === "written") this.#write(event.inode, event.bytes, event.process);
    else if (event.kind === "named") this.#name(event);
    else if (event.kind === "sync-began") this.#begin(event.sync, event.inode);
    else if (event.kind === "sync-resolved") this.#resolve(event.sync);
  }

  /** Files with unsynced bytes. */
  unsynced(): readonly (readonly [Inode, CachedFile])[] {
    return [...this.files].filter(([, file]) => file.synced < file.bytes.length);
  }

  /**
   * Changes of names that a power cut may undo. One that a durable change of the same names came after makes no
   * difference any more.
   */
  undoable(): readonly Named[] {
    const settled = new Set<string>();
    const undoable: Named[] = [];
    for (const { change, durable } of this.changes.toReversed()) {
      if (durable) for (const slot of change.slots) settled.add(keyOf(slot));
      else if (change.slots.some((slot) => !settled.has(keyOf(slot)))) undoable.unshift(change);
    }
    return undoable;
  }

  #write(inode: Inode, more: Buffer, process: string): void {
    const file = this.files.get(inode);
    if (file === undefined) throw new Error(`nothing was written of inode ${inode} before`);
    const bytes = Buffer.concat([file.bytes, more]);
    const write = { process, from: file.bytes.length, end: bytes.length };
    this.files.set(inode, { ...file, bytes, writes: [...file.writes, write] });
  }

  #name(change: Named): void {
    this.changes.push({ change, durable: false });
    const made = change.call === "create" ? change.slots[0]?.inode : undefined;
    if (made !== undefined) this.files.set(made, { bytes: Buffer.alloc(0), synced: 0, writes: [] });
  }

  #begin(sync: number, inode: Inode): void {
    const size = this.files.get(inode)?.bytes.length ?? 0;
    this.#begun.set(sync, { inode, size, changes: this.changes.length });
  }

  #resolve(sync: number): void {
    const begun = this.#begun.get(sync);
    if (begun === undefined) throw new Error("a sync resolved that has not begun");
    const file = this.files.get(begun.inode);
    if (file !== undefined)
      this.files.set(begun.inode, { ...file, synced: Math.max(file.synced, begun.size) });
    for (const entry of this.changes.slice(0, begun.changes))
      if (entry.change.folder === begun.inode) entry.durable = true;
  }
}

function keyOf({ folder, name }: Slot): string {
  return `${folder}/${name}`;
}
