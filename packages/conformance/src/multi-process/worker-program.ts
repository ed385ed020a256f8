import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type Command, REPORT_FD, type Report } from "./worker-messages.js";

const PROGRAM = fileURLToPath(new URL("./worker.js", import.meta.url));

/** Receives what a program reports. */
interface Owner {
  readonly take: (report: Report) => void;
  /** The process has ended by itself or was killed. */
  readonly end: (printed: string) => void;
}

/** Programs without a store, for reuse: starting a process takes longer than most of its work. */
const idlePrograms = new Set<WorkerProgram>();

/** A process that runs `worker.js`. */
export class WorkerProgram {
  readonly exited: Promise<unknown>;
  readonly #child: ChildProcess;
  #owner: Owner;
  #printed: string[] = [];

  private constructor(owner: Owner) {
    this.#owner = owner;
    this.#child = spawn(process.execPath, [PROGRAM], { stdio: ["pipe", "pipe", "pipe", "pipe"] });
    this.exited = once(this.#child, "close").then(() => this.#end());
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (data) => this.#printed.push(String(data)));
    const reports = createInterface({ input: this.#reports() });
    reports.on("line", (line) => this.#owner.take(JSON.parse(line)));
    // The pipes of a killed worker fail; its end is reported by `close`.
    for (const source of [...this.#child.stdio, reports]) source?.on("error", () => undefined);
  }

  /** An idle program, or else a new one. */
  static acquire(owner: Owner): WorkerProgram {
    const [program] = idlePrograms;
    if (program === undefined) return new WorkerProgram(owner);
    program.#assignTo(owner);
    return program;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(command: Command): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Makes the program idle. It must have no store open. It does not keep this process alive, and ends with it. */
  release(): void {
    idlePrograms.add(this);
    for (const handle of this.#handles()) handle.unref();
  }

  #assignTo(owner: Owner): void {
    idlePrograms.delete(this);
    this.#owner = owner;
    this.#printed = [];
    for (const handle of this.#handles()) handle.ref();
  }

  #handles(): readonly (ChildProcess | Socket)[] {
    return [this.#child, ...this.#child.stdio.filter((stream) => stream instanceof Socket)];
  }

  #reports(): Readable {
    const reports = this.#child.stdio[REPORT_FD];
    if (reports === undefined || reports === null || !("read" in reports))
      throw new Error("the worker has no pipe for reports");
    return reports;
  }

  #end(): void {
    idlePrograms.delete(this);
    this.#owner.end(this.#printed.join(""));
  }
}
