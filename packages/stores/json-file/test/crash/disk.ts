import { DiskError } from "./disk-error.js";
import type { DiskEvent, Inode, Named, Noted, Slot } from "./disk-event.js";
import { type DiskImage, TOP } from "./disk-image.js";

/** A disk in memory that any number of processes share. It records everything that changes it. */
export class Disk {
  readonly events: DiskEvent[] = [];
  readonly files: Map<Inode, Buffer>;
  readonly folders: Map<Inode, Map<string, Inode>>;
  readonly #held = new Map<string, Promise<void>>();
  readonly #beforeAppend = new Map<string, () => void>();
  /** One count for all disks: what a process did on a copy may happen on the original too. */
  static #lastInode: Inode = TOP;
  static #lastSync = 0;

  constructor(image: DiskImage) {
    this.files = new Map(image.files);
    this.folders = new Map([...image.folders].map(([inode, names]) => [inode, new Map(names)]));
  }

  /** All that is on it now, as if nothing were left in a cache. Files without a name are gone. */
  image(): DiskImage {
    const named = new Set([...this.folders.values()].flatMap((names) => [...names.values()]));
    const kept = (inode: Inode): boolean => inode === TOP || named.has(inode);
    return {
      files: new Map([...this.files].filter(([inode]) => kept(inode))),
      folders: new Map(
        [...this.folders]
          .filter(([inode]) => kept(inode))
          .map(([inode, names]) => [inode, new Map(names)] as const),
      ),
    };
  }

  /** Applies an event and records it: a call of a process here, or one that was made on a copy of this disk. */
  apply(event: DiskEvent): void {
    if (event.kind === "written") this.#write(event.inode, event.bytes);
    if (event.kind === "named") this.#name(event);
    this.events.push(event);
  }

  note(event: Noted): void {
    this.events.push(event);
  }

  newInode(): Inode {
    return ++Disk.#lastInode;
  }

  append(process: string, inode: Inode, bytes: Buffer): void {
    const before = this.#beforeAppend.get(process);
    this.#beforeAppend.delete(process);
    before?.();
    this.apply({ kind: "written", process, inode, bytes: Buffer.from(bytes) });
  }

  /** Takes a turn of the event loop, so that a store that does not wait for it acknowledges too early. */
  async sync(process: string, inode: Inode): Promise<void> {
    const sync = ++Disk.#lastSync;
    this.events.push({ kind: "sync-began", sync, inode });
    await new Promise((resolve) => setImmediate(resolve));
    await this.#held.get(process);
    await this.#held.get(`${process} ${inode}`);
    this.events.push({ kind: "sync-resolved", sync });
  }

  /** Lets no sync of a process resolve, or none of this file, until the returned function is called. */
  holdSyncs(process: string, file?: Inode): () => void {
    const held = file === undefined ? process : `${process} ${file}`;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#held.set(held, released);
    return () => {
      this.#held.delete(held);
      release();
    };
  }

  /** Runs `act` right before the next append of a process: after it has determined where the file ends. */
  beforeNextAppend(process: string, act: () => void): void {
    this.#beforeAppend.set(process, act);
  }

  /** What an absolute path names. Not split into an array: paths are looked up millions of times. */
  find(path: string): Inode | undefined {
    let inode: Inode | undefined = TOP;
    let from = 1;
    while (from < path.length && inode !== undefined) {
      const slash = path.indexOf("/", from);
      const end = slash < 0 ? path.length : slash;
      inode = this.folders.get(inode)?.get(path.slice(from, end));
      from = end + 1;
    }
    return inode;
  }

  /** The slot of a path in its folder, to be the name of `inode`. */
  slot(path: string, inode: Inode | undefined): Slot {
    const at = path.lastIndexOf("/");
    const folder = this.find(path.slice(0, at));
    if (folder === undefined || !this.folders.has(folder)) throw new DiskError("ENOENT", path);
    return { folder, name: path.slice(at + 1), inode };
  }

  bytesOf(inode: Inode): Buffer {
    const bytes = this.files.get(inode);
    if (bytes === undefined) throw new DiskError("EISDIR", `inode ${inode}`);
    return bytes;
  }

  #write(inode: Inode, bytes: Buffer): void {
    this.files.set(inode, Buffer.concat([this.bytesOf(inode), bytes]));
  }

  #name({ call, slots }: Named): void {
    for (const { folder, name, inode } of slots) {
      if (inode === undefined) this.folders.get(folder)?.delete(name);
      else this.folders.get(folder)?.set(name, inode);
      if (inode !== undefined && call === "create") this.files.set(inode, Buffer.alloc(0));
      if (inode !== undefined && call === "makeFolder") this.folders.set(inode, new Map());
    }
  }
}
