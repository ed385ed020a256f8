import type { Json } from "@sessions/protocol";
import type { OtherProcess } from "../harness.js";
import type { HistoryEvent } from "../history/history-event.js";
import { Deferred } from "./deferred.js";
import { Paused } from "./paused.js";
import type { Report } from "./report.js";
import { WorkerProgram } from "./worker-program.js";
import type { Workload } from "./workload.js";

/** A store that takes longer to close is left to the end of its process. */
const CLOSING_MS = 2_000;

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
  readonly #program: WorkerProgram;
  readonly #record: (event: HistoryEvent) => void;
  readonly #works = new Map<number, OpenWork>();
  readonly #opened = new Deferred<null>();
  readonly #closed = new Deferred<"closed">();
  #begun = 0;
  #ended = false;
  #paused: Paused | undefined;

  private constructor(name: string, how: OtherProcess, record: (event: HistoryEvent) => void) {
    this.name = name;
    this.#record = record;
    this.#program = WorkerProgram.employedBy({
      take: (report) => this.#take(report),
      end: (printed) => this.#end(printed),
    });
    this.#program.send({ order: "open", name, how });
  }

  /** Has a process open the store, and waits until it has. */
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

  /** Gives it work and does not wait for the answer. */
  begin(load: Workload): Work {
    const work = ++this.#begun;
    const open: OpenWork = { answer: new Deferred<Json>(), notes: [] };
    this.#works.set(work, open);
    this.#program.send({ order: "work", work, load });
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
    this.#paused = await Paused.stop(this.pid);
  }

  async resume(): Promise<void> {
    await this.#paused?.resume();
    this.#paused = undefined;
  }

  /** Ends it at once, in the middle of whatever it does (SIGKILL, also when paused). */
  async kill(): Promise<void> {
    this.#program.kill();
    await this.#program.exited;
    await this.resume();
  }

  /** Nobody needs it here any more. One that has done all its work closes the store and may open another. */
  async dismiss(): Promise<void> {
    const atWork = [...this.#works.values()].some(({ answer }) => !answer.settled);
    if (this.#ended || this.#paused !== undefined || atWork || !(await this.#closes())) return this.kill();
    this.#program.dismiss();
  }

  async #closes(): Promise<boolean> {
    this.#program.send({ order: "close" });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), CLOSING_MS);
    });
    const first = await Promise.race([this.#closed.promise, this.#program.exited, late]);
    clearTimeout(timer);
    return first === "closed";
  }

  #take(report: Report): void {
    if (report.type === "opened") this.#opened.resolve(null);
    else if (report.type === "closed") this.#closed.resolve("closed");
    else if (report.type === "event") this.#record(report.event);
    else this.#takeOf(this.#works.get(report.work), report);
  }

  #takeOf(work: OpenWork | undefined, report: Extract<Report, { readonly work: number }>): void {
    if (report.type === "note") work?.notes.push(report.note);
    else if (report.type === "done") work?.answer.resolve(report.answer);
    else work?.answer.reject(new Error(`${this.name}: ${report.message}`));
  }

  #end(printed: string): void {
    this.#ended = true;
    const error = new Error(`worker ${this.name} has ended. It printed: ${printed}`);
    this.#opened.reject(error);
    for (const work of this.#works.values()) work.answer.reject(error);
  }
}
