import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, statfs } from "node:fs/promises";
import { join } from "node:path";

const MEBIBYTE = 1024 * 1024;
const ATTEMPTS = 50;

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
  readonly #ended: Promise<unknown>;
  readonly #folder: string;
  readonly #bytes: number;
  readonly #inside: string;

  private constructor(holder: ChildProcess, folder: string, bytes: number) {
    this.#holder = holder;
    this.#ended = once(holder, "close"); // from now on: it may end before anybody waits for it
    this.#folder = folder;
    this.#bytes = bytes;
    // The folder as the holder sees it.
    this.#inside = join("/proc", String(holder.pid), "root", folder);
  }

  static async mount(folder: string, mebibytes: number): Promise<SmallDisk | NoDisk> {
    if (process.platform !== "linux") return { reason: "only Linux can mount one" };
    if (process.getuid?.() !== 0) return { reason: "only root can mount one" };
    // Ctrl-C reaches the whole process group, and the disk must outlive the processes that use it.
    const script = `trap '' INT HUP TERM; mount -t tmpfs -o size=${mebibytes}m,mode=700 chaos "$1" && echo mounted && read _`;
    const command = ["--mount", "--propagation", "private", "sh", "-c", script, "sh", folder];
    const holder = spawn("unshare", command, { stdio: ["pipe", "pipe", "pipe"] });
    const said = await firstWords(holder);
    return said === "mounted" ? new SmallDisk(holder, folder, mebibytes * MEBIBYTE) : { reason: said };
  }

  /** The command that runs another one where the disk can be seen. */
  get entry(): readonly string[] {
    return ["nsenter", "--mount", "--target", String(this.#holder.pid), "--"];
  }

  /**
   * Takes all the room but `sparePages`, so that a write may find room for its beginning. The disk is made as small as
   * what is on it: a file that fills it would take long, and memory.
   */
  async fill(sparePages: number): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { blocks, bfree, bsize } = await statfs(this.#inside);
      // Refused if a process has just written more. Then it is measured again.
      if (await this.#resize((blocks - bfree + sparePages) * bsize)) return;
    }
    throw new Error(`the disk could not be filled: ${this.#inside}`);
  }

  /** Gives the room back. */
  async free(): Promise<void> {
    if (!(await this.#resize(this.#bytes))) throw new Error(`the disk cannot be enlarged: ${this.#inside}`);
  }

  /** Copies what is on the disk, for a later inspection. */
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

async function firstWords(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.once("data", (data) => resolve(String(data).trim()));
    child.once("error", (error) => resolve(error.message));
    child.once("close", () => resolve("it could not be mounted"));
  });
}
