import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Json } from "@sessions/protocol";
import type { OtherProcess } from "../harness.js";
import type { HistoryEvent } from "../history/history-event.js";
import { Deferred } from "./deferred.js";
import { Paused } from "./paused.js";
import { REPORT_FD, type Report } from "./report.js";
import type { Workload } from "./workload.js";

const PROGRAM = fileURLToPath(new URL("./worker.js", import.meta.url));

/** Work that is under way in another process. */
export interface Work {
  /** What it answers. */
  readonly done: Promise<Json>;
  /** What it has told so far. */
  readonly notes: readonly Json[];
}

interface OpenWork {
  readonly answer: Deferred<Json>;
  readonly notes: Json[];
}

/** Another process that has the same data open. */
export class WorkerProcess {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #record: (event: HistoryEvent) => void;
  readonly #works = new Map<number, OpenWork>();
  readonly #ready = new Deferred<null>();
  readonly #exited: Promise<unknown>;
  readonly #printed: string[] = [];
  #paused: Paused | undefined;

  private constructor(name: string, how: OtherProcess, record: (event: HistoryEvent) => void) {
    this.name = name;
    this.#record = record;
    const args = [PROGRAM, name, how.module, JSON.stringify(how.argument)];
    this.#child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe", "pipe"] });
    this.#exited = once(this.#child, "close").then(() => this.#end());
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (data) => this.#printed.push(String(data)));
    const reports = createInterface({ input: this.#reports() });
    reports.on("line", (line) => this.#take(JSON.parse(line)));
    // A worker that is killed takes its pipes along; that is no news.
    for (const source of [...this.#child.stdio, reports]) source?.on("error", () => undefined);
  }

  /** Starts a process and waits until it has opened the store. */
  static async start(
    name: string,
    how: OtherProcess,
    record: (event: HistoryEvent) => void,
  ): Promise<WorkerProcess> {
    const worker = new WorkerProcess(name, how, record);
    try {
      await worker.#ready.promise;
      return worker;
    } catch (error) {
      await worker.kill();
      throw error;
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Gives it work and does not wait for the answer. */
  begin(load: Workload): Work {
    const work = this.#works.size + 1;
    const open: OpenWork = { answer: new Deferred<Json>(), notes: [] };
    this.#works.set(work, open);
    this.#child.stdin?.write(`${JSON.stringify({ work, load })}\n`);
    // Whoever wants to know waits for it; who kills the worker does not.
    open.answer.promise.catch(() => undefined);
    return { done: open.answer.promise, notes: open.notes };
  }

  /** Gives it work and waits for the answer. */
  do(load: Workload): Promise<Json> {
    return this.begin(load).done;
  }

  /** Stops it in its tracks, as a long pause of the machine would. */
  async pause(): Promise<void> {
    this.#paused = await Paused.stop(this.#child.pid);
  }

  async resume(): Promise<void> {
    await this.#paused?.resume();
    this.#paused = undefined;
  }

  /** Ends it at once, in the middle of whatever it does (SIGKILL, also when paused). */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
    await this.resume();
  }

  #reports(): Readable {
    const reports = this.#child.stdio[REPORT_FD];
    if (reports === undefined || reports === null || !("read" in reports))
      throw new Error("the worker has no pipe for reports");
    return reports;
  }

  #take(report: Report): void {
    if (report.type === "ready") this.#ready.resolve(null);
    else if (report.type === "event") this.#record(report.event);
    else this.#takeOf(this.#works.get(report.work), report);
  }

  #takeOf(work: OpenWork | undefined, report: Extract<Report, { readonly work: number }>): void {
    if (report.type === "note") work?.notes.push(report.note);
    else if (report.type === "done") work?.answer.resolve(report.answer);
    else work?.answer.reject(new Error(`${this.name}: ${report.message}`));
  }

  #end(): void {
    const error = new Error(`worker ${this.name} has ended. It printed: ${this.#printed.join("")}`);
    this.#ready.reject(error);
    for (const work of this.#works.values()) work.answer.reject(error);
  }
}
