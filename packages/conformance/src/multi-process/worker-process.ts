import type { Json } from "@sessions/protocol";
import type { OtherProcess } from "../harness.js";
import type { HistoryEvent } from "../history/history-event.js";
import { Deferred } from "./deferred.js";
import { PausedProcess } from "./paused-process.js";
import type { Report } from "./worker-messages.js";
import { WorkerProgram } from "./worker-program.js";
import type { Workload } from "./workload.js";

/** If its store takes longer to close, the process is killed. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Work that another process is doing. */
export interface Work {
  readonly done: Promise<Json>;
  /** The notes that it has sent so far. */
  readonly notes: readonly Json[];
}

interface PendingWork {
  readonly answer: Deferred<Json>;
  readonly notes: Json[];
}

/** A worker process that has the same data open. */
export class WorkerProcess {
  readonly name: string;
  readonly #program: WorkerProgram;
  readonly #record: (event: HistoryEvent) => void;
  readonly #pending = new Map<number, PendingWork>();
  readonly #opened = new Deferred<null>();
  readonly #closed = new Deferred<"closed">();
  #workCount = 0;
  #ended = false;
  #paused: PausedProcess | undefined;

  private constructor(name: string, how: OtherProcess, record: (event: HistoryEvent) => void) {
    this.name = name;
    this.#record = record;
    this.#program = WorkerProgram.acquire({
      take: (report) => this.#take(report),
      end: (printed) => this.#end(printed),
    });
    this.#program.send({ type: "open", name, how });
  }

  /** Opens the store in a process and waits until it is open. */
  static async start(
    name: string,
    how: OtherProcess,
    record: (event: HistoryEvent) => void,
  ): Promise<WorkerProcess> {
    const worker = new WorkerProcess(name, how, record);
    try {
      await worker.#opened.promise;
      return worker;
    } catch (error) {
      await worker.kill();
      throw error;
    }
  }

  get pid(): number | undefined {
    return this.#program.pid;
  }

  /** Starts work without waiting for its result. */
  begin(load: Workload): Work {
    const work = ++this.#workCount;
    const open: PendingWork = { answer: new Deferred<Json>(), notes: [] };
    this.#pending.set(work, open);
    this.#program.send({ type: "work", work, load });
    // A caller that kills the worker does not await `done`: its rejection must not be an unhandled one.
    open.answer.promise.catch(() => undefined);
    return { done: open.answer.promise, notes: open.notes };
  }

  /** Does work and returns its result. */
  do(load: Workload): Promise<Json> {
    return this.begin(load).done;
  }

  /** Stops the process (SIGSTOP), as a long pause of the machine would. */
  async pause(): Promise<void> {
    this.#paused = await PausedProcess.stop(this.pid);
  }

  async resume(): Promise<void> {
    await this.#paused?.resume();
    this.#paused = undefined;
  }

  /** Kills the process (SIGKILL), also while it is paused. */
  async kill(): Promise<void> {
    this.#program.kill();
    await this.#program.exited;
    await this.resume();
  }

  /** Gives the process back: it closes its store and may be reused. A busy, paused or dead one is killed instead. */
  async release(): Promise<void> {
    const isBusy = [...this.#pending.values()].some(({ answer }) => !answer.settled);
    if (this.#ended || this.#paused !== undefined || isBusy || !(await this.#closesInTime()))
      return this.kill();
    this.#program.release();
  }

  async #closesInTime(): Promise<boolean> {
    this.#program.send({ type: "close" });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), CLOSE_TIMEOUT_MS);
    });
    const first = await Promise.race([this.#closed.promise, this.#program.exited, late]);
    clearTimeout(timer);
    return first === "closed";
  }

  #take(report: Report): void {
    if (report.type === "opened") this.#opened.resolve(null);
    else if (report.type === "closed") this.#closed.resolve("closed");
    else if (report.type === "event") this.#record(report.event);
    else this.#takeResult(this.#pending.get(report.work), report);
  }

  #takeResult(work: PendingWork | undefined, report: Extract<Report, { readonly work: number }>): void {
    if (report.type === "note") work?.notes.push(report.note);
    else if (report.type === "done") work?.answer.resolve(report.answer);
    else work?.answer.reject(new Error(`${this.name}: ${report.message}`));
  }

  #end(printed: string): void {
    this.#ended = true;
    const error = new Error(`worker ${this.name} has ended. It printed: ${printed}`);
    this.#opened.reject(error);
    for (const work of this.#pending.values()) work.answer.reject(error);
  }
}
