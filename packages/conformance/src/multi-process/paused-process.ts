import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/**
 * A stopped process. A shell resumes it when the shell's own stdin ends. So it is resumed, and can end, even if this
 * process is killed meanwhile.
 */
export class PausedProcess {
  readonly #guard: ChildProcess;

  private constructor(guard: ChildProcess) {
    this.#guard = guard;
  }

  /** Stops a process and returns when it is stopped. */
  static async stop(pid: number | undefined): Promise<PausedProcess> {
    if (pid === undefined) throw new Error("there is no process to pause");
    const script = `kill -STOP ${pid}; echo stopped; read _; kill -CONT ${pid} 2>/dev/null; exit 0`;
    const guard = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
    await once(guard.stdout, "data");
    return new PausedProcess(guard);
  }

  async resume(): Promise<void> {
    const ended = once(this.#guard, "close");
    this.#guard.stdin?.end();
    await ended;
  }
}
