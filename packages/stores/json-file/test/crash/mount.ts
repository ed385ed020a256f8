import type { FileStat, FileSystem, Moved } from "../../src/engine/file-system.js";
import type { Disk } from "./disk.js";
import { DiskError } from "./disk-error.js";
import type { Inode } from "./disk-event.js";

interface Descriptor {
  readonly inode: Inode;
  readonly writable: boolean;
}

/** The disk as one process sees it. Files stay open when their names are gone. */
export function mount(disk: Disk, process: string): FileSystem {
  return new Mount(disk, process);
}

class Mount implements FileSystem {
  readonly #disk: Disk;
  readonly #process: string;
  readonly #open = new Map<number, Descriptor>();
  #last = 2;

  constructor(disk: Disk, process: string) {
    this.#disk = disk;
    this.#process = process;
  }

  stat(path: string): FileStat | undefined {
    const inode = this.#disk.find(path);
    return inode === undefined ? undefined : this.#stat(inode);
  }

  list(folder: string): readonly string[] {
    const inode = this.#disk.find(folder);
    if (inode === undefined) return [];
    const names = this.#disk.folders.get(inode);
    if (names === undefined) throw new DiskError("ENOTDIR", folder);
    return [...names.keys()];
  }

  makeFolder(path: string): void {
    const inode = this.#disk.find(path);
    if (inode !== undefined) {
      if (!this.#disk.folders.has(inode)) throw new DiskError("EEXIST", path);
      return;
    }
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (parent !== "") this.makeFolder(parent);
    this.#name("makeFolder", path, this.#disk.newInode());
  }

  readFile(path: string): string | undefined {
    const inode = this.#disk.find(path);
    return inode === undefined ? undefined : this.#disk.bytesOf(inode).toString("utf8");
  }

  create(path: string): number {
    if (this.#disk.find(path) !== undefined) throw new DiskError("EEXIST", path);
    const inode = this.#disk.newInode();
    this.#name("create", path, inode);
    return this.#descriptor(inode, true);
  }

  open(path: string, writable: boolean): number | undefined {
    const inode = this.#disk.find(path);
    if (inode === undefined) return undefined;
    this.#disk.bytesOf(inode);
    return this.#descriptor(inode, writable);
  }

  close(file: number): void {
    this.#opened(file);
    this.#open.delete(file);
  }

  statOpen(file: number): FileStat {
    return this.#stat(this.#opened(file).inode);
  }

  read(file: number, from: number, length: number): Buffer {
    return Buffer.from(this.#disk.bytesOf(this.#opened(file).inode).subarray(from, from + length));
  }

  append(file: number, bytes: Buffer): number {
    const { inode, writable } = this.#opened(file);
    if (!writable) throw new DiskError("EBADF", `descriptor ${file}`);
    if (bytes.length > 0) this.#disk.append(this.#process, inode, bytes);
    return bytes.length;
  }

  async sync(file: number): Promise<void> {
    await this.#disk.sync(this.#process, this.#opened(file).inode);
  }

  async syncFolder(path: string): Promise<void> {
    const inode = this.#disk.find(path);
    if (inode === undefined || !this.#disk.folders.has(inode)) throw new DiskError("ENOENT", path);
    await this.#disk.sync(this.#process, inode);
  }

  move(from: string, to: string): Moved {
    const inode = this.#disk.find(from);
    if (inode === undefined || this.#disk.find(to.slice(0, to.lastIndexOf("/"))) === undefined)
      return "missing";
    if (from === to) return "moved";
    if (to.startsWith(`${from}/`)) throw new DiskError("EINVAL", to);
    if (this.#occupied(inode, to)) return "occupied";
    const slot = this.#disk.slot(to, inode);
    const slots = [this.#disk.slot(from, undefined), slot];
    this.#disk.apply({ kind: "named", call: "move", path: to, slots, folder: slot.folder });
    return "moved";
  }

  /** Not one step: the power may go after any name of a folder. */
  remove(path: string): void {
    const inode = this.#disk.find(path);
    if (inode === undefined) return;
    for (const name of this.#disk.folders.get(inode)?.keys() ?? []) this.remove(`${path}/${name}`);
    this.#name("remove", path, undefined);
  }

  #occupied(inode: Inode, path: string): boolean {
    const there = this.#disk.find(path);
    if (there === undefined || there === inode) return false;
    const isFolder = this.#disk.folders.has(inode);
    const names = this.#disk.folders.get(there);
    if (isFolder !== (names !== undefined)) throw new DiskError(isFolder ? "ENOTDIR" : "EISDIR", path);
    return (names?.size ?? 0) > 0;
  }

  #name(call: "makeFolder" | "create" | "remove", path: string, inode: Inode | undefined): void {
    const slot = this.#disk.slot(path, inode);
    this.#disk.apply({ kind: "named", call, path, slots: [slot], folder: slot.folder });
  }

  #stat(inode: Inode): FileStat {
    return new MountedStat(inode, this.#disk);
  }

  #descriptor(inode: Inode, writable: boolean): number {
    this.#last++;
    this.#open.set(this.#last, { inode, writable });
    return this.#last;
  }

  #opened(file: number): Descriptor {
    const descriptor = this.#open.get(file);
    if (descriptor === undefined) throw new DiskError("EBADF", `descriptor ${file}`);
    return descriptor;
  }
}

/** A class with a getter: `stat` is called millions of times, and names are rarely counted. */
class MountedStat implements FileStat {
  readonly inode: Inode;
  readonly size: number;
  /** No file is changed in place here, so the time is not needed. */
  readonly changedAt = 0;
  readonly #disk: Disk;

  constructor(inode: Inode, disk: Disk) {
    this.inode = inode;
    this.size = disk.files.get(inode)?.length ?? 0;
    this.#disk = disk;
  }

  get links(): number {
    let links = 0;
    for (const names of this.#disk.folders.values())
      for (const named of names.values()) if (named === this.inode) links++;
    return links;
  }
}
