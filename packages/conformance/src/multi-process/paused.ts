import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/**
 * A process that stands still. The one who lets it go on again is a shell that waits for the end of its own stdin: so
 * it goes on, and notices that nobody needs it any more, even if this process is killed meanwhile.
 */
export class Paused {
  readonly #guard: ChildProcess;

  private constructor(guard: ChildProcess) {
    this.#guard = guard;
  }

  /** Stops it, and returns when it stands still. */
  static async stop(pid: number | undefined): Promise<Paused> {
    if (pid === undefined) throw new Error("there is no process to pause");
    const script = `kill -STOP ${pid}; echo stopped; read _; kill -CONT ${pid} 2>/dev/null; exit 0`;
    const guard = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
    await once(guard.stdout, "data");
    return new Paused(guard);
  }

  /** Lets it go on. */
  async resume(): Promise<void> {
    const ended = once(this.#guard, "close");
    this.#guard.stdin?.end();
    await ended;
  }
}
