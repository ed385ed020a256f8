import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { PausedProcess } from "@sessions/conformance/multi-process";
import type { Order, Progress, WorkerTask } from "../worker/worker-task.js";

/** The programs of a run: the workers and the final read of each target. */
export type Program = "calls/worker" | "calls/final-read" | "turns/worker" | "turns/final-read";

/** A process of a run. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #output: string[] = [];
  /** Resolves when the process has ended, with a description if it failed. */
  readonly ended: Promise<string | undefined>;
  #calls = 0;
  #paused: PausedProcess | undefined;
  #killed = false;

  /** `entry` is a command prefix that gives the process access to the data. It may be empty. */
  constructor(program: Program, task: WorkerTask, entry: readonly string[]) {
    const path = fileURLToPath(new URL(`../${program}.js`, import.meta.url));
    const [command = process.execPath, ...args] = [...entry, process.execPath, path, JSON.stringify(task)];
    this.#child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe", "ipc"] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (data) => this.#output.push(String(data)));
    this.#child.on("message", ({ calls }: Progress) => {
      this.#calls = calls;
    });
    this.#child.on("error", (error) => this.#output.push(error.message));
    this.ended = once(this.#child, "close").then(([code, signal]) => this.#failure(code, signal));
  }

  /** The number of calls that the process has reported. */
  get calls(): number {
    return this.#calls;
  }

  get paused(): boolean {
    return this.#paused !== undefined;
  }

  send(order: Order): void {
    // The worker may have just been killed. Then it needs no order.
    if (this.#child.connected) this.#child.send(order, () => undefined);
  }

  /** Stops the process with SIGSTOP. */
  async pause(): Promise<void> {
    this.#paused = await PausedProcess.stop(this.#child.pid);
  }

  async resume(): Promise<void> {
    await this.#paused?.resume();
    this.#paused = undefined;
  }

  /** Ends the process with SIGKILL. */
  async kill(): Promise<void> {
    this.#killed = true;
    this.#child.kill("SIGKILL");
    await this.ended;
    await this.resume();
  }

  #failure(code: unknown, signal: unknown): string | undefined {
    if (this.#killed || code === 0) return undefined;
    return `ended with ${signal ?? `exit code ${code}`}. It printed: ${this.#output.join("").slice(-2000)}`;
  }
}
