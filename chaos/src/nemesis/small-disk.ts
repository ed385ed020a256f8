import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, open, rm, truncate } from "node:fs/promises";
import { join } from "node:path";

const MEBIBYTE = 1024 * 1024;
const PAGE = 4096;

/** Why there is no small disk. */
export interface NoDisk {
  readonly reason: string;
}

/**
 * A small disk in memory that can be filled. It is mounted in a mount namespace of its own, which lives as long as the
 * processes in it: whatever happens to the run, no mount is left behind.
 */
export class SmallDisk {
  readonly #holder: ChildProcess;
  readonly #inside: string;

  private constructor(holder: ChildProcess, folder: string) {
    this.#holder = holder;
    // The folder as the holder sees it.
    this.#inside = join("/proc", String(holder.pid), "root", folder);
  }

  static async mount(folder: string, mebibytes: number): Promise<SmallDisk | NoDisk> {
    if (process.platform !== "linux") return { reason: "only Linux can mount one" };
    if (process.getuid?.() !== 0) return { reason: "only root can mount one" };
    const script = `mount -t tmpfs -o size=${mebibytes}m,mode=700 chaos "$1" && echo mounted && read _`;
    const command = ["--mount", "--propagation", "private", "sh", "-c", script, "sh", folder];
    const holder = spawn("unshare", command, { stdio: ["pipe", "pipe", "pipe"] });
    const said = await firstWords(holder);
    return said === "mounted" ? new SmallDisk(holder, folder) : { reason: said };
  }

  /** The command that runs another one where the disk can be seen. */
  get entry(): readonly string[] {
    return ["nsenter", "--mount", "--target", String(this.#holder.pid), "--"];
  }

  /** Takes all the room but `sparePages`, so that a write may find room for its beginning. */
  async fill(sparePages: number): Promise<void> {
    const file = await open(this.#ballast(), "w");
    let size = 0;
    try {
      for (let chunk = 4 * MEBIBYTE; chunk >= PAGE; ) {
        const written = await writeSome(file, chunk);
        size += written;
        if (written < chunk) chunk = chunk === PAGE ? 0 : PAGE;
      }
    } finally {
      await file.close();
    }
    await truncate(this.#ballast(), Math.max(0, size - sparePages * PAGE));
  }

  async free(): Promise<void> {
    await rm(this.#ballast(), { force: true });
  }

  /** What is on the disk, for somebody who wants to look at it later. */
  async copyTo(folder: string): Promise<void> {
    await cp(this.#inside, folder, { recursive: true });
  }

  async unmount(): Promise<void> {
    const ended = once(this.#holder, "close");
    this.#holder.stdin?.end();
    await ended;
  }

  /** Beside the store's own files: a dot file in its folder, which no store has. */
  #ballast(): string {
    return join(this.#inside, ".ballast");
  }
}

async function writeSome(file: Awaited<ReturnType<typeof open>>, size: number): Promise<number> {
  try {
    return (await file.write(Buffer.alloc(size))).bytesWritten;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") return 0;
    throw error;
  }
}

async function firstWords(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.once("data", (data) => resolve(String(data).trim()));
    child.once("error", (error) => resolve(error.message));
    child.once("close", () => resolve("it could not be mounted"));
  });
}
