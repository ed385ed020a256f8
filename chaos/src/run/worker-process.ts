import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { PausedProcess } from "@sessions/conformance/multi-process";
import type { Order, Progress, WorkerTask } from "../worker/worker-task.js";

/** What a process of a run can be: a worker or the audit of its target. */
export type Program = "calls/worker" | "calls/audit" | "turns/worker" | "turns/audit";

/** A process of the run. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #printed: string[] = [];
  /** Resolves when the process has ended. With a description if it failed. */
  readonly ended: Promise<string | undefined>;
  #calls = 0;
  #paused: PausedProcess | undefined;
  #killed = false;

  /** `entry` is a command prefix that gives the process access to the data. Empty if none is needed. */
  constructor(program: Program, task: WorkerTask, entry: readonly string[]) {
    const path = fileURLToPath(new URL(`../${program}.js`, import.meta.url));
    const [command = process.execPath, ...args] = [...entry, process.execPath, path, JSON.stringify(task)];
    this.#child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe", "ipc"] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (data) => this.#printed.push(String(data)));
    this.#child.on("message", ({ calls }: Progress) => {
      this.#calls = calls;
    });
    this.#child.on("error", (error) => this.#printed.push(error.message));
    this.ended = once(this.#child, "close").then(([code, signal]) => this.#obituary(code, signal));
  }

  /** How many calls it has reported. */
  get calls(): number {
    return this.#calls;
  }

  get paused(): boolean {
    return this.#paused !== undefined;
  }

  tell(order: Order): void {
    // A worker that has just died needs no order.
    if (this.#child.connected) this.#child.send(order, () => undefined);
  }

  /** Stops it with SIGSTOP. */
  async pause(): Promise<void> {
    this.#paused = await PausedProcess.stop(this.#child.pid);
  }

  async resume(): Promise<void> {
    await this.#paused?.resume();
    this.#paused = undefined;
  }

  /** Ends it with SIGKILL. */
  async kill(): Promise<void> {
    this.#killed = true;
    this.#child.kill("SIGKILL");
    await this.ended;
    await this.resume();
  }

  #obituary(code: unknown, signal: unknown): string | undefined {
    if (this.#killed || code === 0) return undefined;
    return `ended with ${signal ?? `exit code ${code}`}. It printed: ${this.#printed.join("").slice(-2000)}`;
  }
}
