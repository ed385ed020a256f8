import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, statfs } from "node:fs/promises";
import { join } from "node:path";

const MEBIBYTE = 1024 * 1024;
const MAX_ATTEMPTS = 50;

/** Why there is no small disk. */
export interface NoDisk {
  readonly reason: string;
}

/**
 * A small disk in memory that can be filled. It is mounted in a mount namespace, which the kernel removes with the last
 * process in it. So no mount is left behind, even if the run is killed.
 */
export class SmallDisk {
  readonly #holder: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #folder: string;
  readonly #bytes: number;
  readonly #inside: string;

  private constructor(holder: ChildProcess, folder: string, bytes: number) {
    this.#holder = holder;
    this.#ended = once(holder, "close"); // from now on, because it may end before `unmount` waits for it
    this.#folder = folder;
    this.#bytes = bytes;
    // The folder as the holder of the namespace sees it.
    this.#inside = join("/proc", String(holder.pid), "root", folder);
  }

  static async mount(folder: string, mebibytes: number): Promise<SmallDisk | NoDisk> {
    if (process.platform !== "linux") return { reason: "only Linux can mount one" };
    if (process.getuid?.() !== 0) return { reason: "only root can mount one" };
    // Ctrl-C signals the whole process group, and the disk must outlast the processes that use it.
    const script = `trap '' INT HUP TERM; mount -t tmpfs -o size=${mebibytes}m,mode=700 chaos "$1" && echo mounted && read _`;
    const command = ["--mount", "--propagation", "private", "sh", "-c", script, "sh", folder];
    const holder = spawn("unshare", command, { stdio: ["pipe", "pipe", "pipe"] });
    const output = await firstOutput(holder);
    return output === "mounted" ? new SmallDisk(holder, folder, mebibytes * MEBIBYTE) : { reason: output };
  }

  /** The prefix of a command that runs in the namespace of the disk. */
  get entry(): readonly string[] {
    return ["nsenter", "--mount", "--target", String(this.#holder.pid), "--"];
  }

  /**
   * Leaves `sparePages` free, so that some writes succeed in part. It shrinks the disk, because a file that fills it would
   * take time and memory.
   */
  async fill(sparePages: number): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { blocks, bfree, bsize } = await statfs(this.#inside);
      // The kernel refuses if a process has just written more. Then the next attempt measures again.
      if (await this.#resize((blocks - bfree + sparePages) * bsize)) return;
    }
    throw new Error(`the disk could not be filled: ${this.#inside}`);
  }

  /** Gives the disk its size back. */
  async free(): Promise<void> {
    if (!(await this.#resize(this.#bytes))) throw new Error(`the disk cannot be enlarged: ${this.#inside}`);
  }

  /** Copies the contents of the disk, for a later inspection. */
  async copyTo(folder: string): Promise<void> {
    await cp(this.#inside, folder, { recursive: true });
  }

  async unmount(): Promise<void> {
    this.#holder.stdin?.end();
    await this.#ended;
  }

  async #resize(bytes: number): Promise<boolean> {
    const [enter = "", ...args] = this.entry;
    const command = [...args, "mount", "-o", `remount,size=${bytes}`, this.#folder];
    const [code] = await once(spawn(enter, command, { stdio: "ignore" }), "close");
    return code === 0;
  }
}

async function firstOutput(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.once("data", (data) => resolve(String(data).trim()));
    child.once("error", (error) => resolve(error.message));
    child.once("close", () => resolve("it could not be mounted"));
  });
}
