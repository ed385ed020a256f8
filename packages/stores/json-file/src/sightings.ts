import type { FileStat } from "./file-system.js";
import type { Sighting } from "./sighting.js";

interface Remembered {
  readonly stat: FileStat;
  readonly sighting: Sighting;
}

/** Remembers what was seen in each folder, so that a look at one that nobody wrote to costs a `stat` and no reading. */
export class Sightings {
  readonly #stat: (folder: string) => FileStat | undefined;
  readonly #now: () => number;
  readonly #remembered = new Map<string, Remembered>();

  /** `stat` is that of the file which the next commit in the folder will change. */
  constructor(stat: (folder: string) => FileStat | undefined, now: () => number) {
    this.#stat = stat;
    this.#now = now;
  }

  /** The session in a folder as it is now; `read` reads it where it may have changed. */
  async see(folder: string, read: () => Promise<Sighting | undefined>): Promise<Sighting | undefined> {
    const stat = this.#stat(folder); // before reading: what is written meanwhile is found the next time
    const before = this.#remembered.get(folder);
    if (before !== undefined && same(before.stat, stat) && !this.#isOver(before.sighting))
      return before.sighting;
    const sighting = await read();
    if (stat === undefined || sighting === undefined) this.#remembered.delete(folder);
    else this.#remembered.set(folder, { stat, sighting });
    return sighting;
  }

  /** Forgets folders that are not there any more. */
  retain(folders: readonly string[]): void {
    if (this.#remembered.size <= folders.length) return;
    const there = new Set(folders);
    for (const folder of this.#remembered.keys()) if (!there.has(folder)) this.#remembered.delete(folder);
  }

  #isOver({ expiresAt }: Sighting): boolean {
    return expiresAt !== undefined && expiresAt <= this.#now();
  }
}

function same(before: FileStat, now: FileStat | undefined): boolean {
  return before.inode === now?.inode && before.size === now.size;
}
