import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type Order, REPORT_FD, type Report } from "./report.js";

const PROGRAM = fileURLToPath(new URL("./worker.js", import.meta.url));

/** Whom a program works for. */
interface Employer {
  readonly take: (report: Report) => void;
  /** It has ended, whoever ended it. */
  readonly end: (printed: string) => void;
}

/** Those that wait for another store to open: to start a process takes longer than most of what it is to do. */
const waiting = new Set<WorkerProgram>();

/** A process that runs `worker.js`. */
export class WorkerProgram {
  readonly exited: Promise<unknown>;
  readonly #child: ChildProcess;
  #employer: Employer;
  #printed: string[] = [];

  private constructor(employer: Employer) {
    this.#employer = employer;
    this.#child = spawn(process.execPath, [PROGRAM], { stdio: ["pipe", "pipe", "pipe", "pipe"] });
    this.exited = once(this.#child, "close").then(() => this.#end());
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (data) => this.#printed.push(String(data)));
    const reports = createInterface({ input: this.#reports() });
    reports.on("line", (line) => this.#employer.take(JSON.parse(line)));
    // A worker that is killed takes its pipes along; that is no news.
    for (const source of [...this.#child.stdio, reports]) source?.on("error", () => undefined);
  }

  /** One that waits, else a new one. */
  static employedBy(employer: Employer): WorkerProgram {
    const [program] = waiting;
    if (program === undefined) return new WorkerProgram(employer);
    program.#serve(employer);
    return program;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(order: Order): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** It has no store open any more. Nobody waits for it meanwhile: this process may end, and then it does too. */
  dismiss(): void {
    waiting.add(this);
    for (const handle of this.#handles()) handle.unref();
  }

  #serve(employer: Employer): void {
    waiting.delete(this);
    this.#employer = employer;
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
    waiting.delete(this);
    this.#employer.end(this.#printed.join(""));
  }
}
