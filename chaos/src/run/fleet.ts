import type { Random } from "run-tools";
import type { WorkerTask } from "../worker/worker-task.js";
import { type Program, WorkerProcess } from "./worker-process.js";

/** The part of a task that all workers of a run share. */
export type FleetTask = Omit<WorkerTask, "slot" | "generation">;

/** The program of a worker, and the command prefix that gives it access to the data. */
export interface FleetProgram {
  readonly worker: Program;
  readonly entry: readonly string[];
}

interface Slot {
  readonly number: number;
  generation: number;
  worker: WorkerProcess;
}

/** The workers of a run. A worker that ends is started again. */
export class Fleet {
  readonly #task: FleetTask;
  readonly #program: FleetProgram;
  readonly #slots: readonly Slot[];
  /** Descriptions of workers that failed without being killed by the run. */
  readonly crashes: string[] = [];
  #earlierCalls = 0;
  #closing = false;

  constructor(writers: number, task: FleetTask, program: FleetProgram) {
    this.#task = task;
    this.#program = program;
    this.#slots = Array.from({ length: writers }, (_, index) => {
      const number = index + 1;
      return { number, generation: 1, worker: this.#start(number, 1) };
    });
    for (const slot of this.#slots) void this.#follow(slot);
  }

  get calls(): number {
    return this.#slots.reduce((sum, { worker }) => sum + worker.calls, this.#earlierCalls);
  }

  /** Whether every worker has made a call since it was started. */
  get isRunning(): boolean {
    return this.#slots.every(({ worker }) => worker.calls > 0);
  }

  get paused(): number {
    return this.#slots.filter(({ worker }) => worker.paused).length;
  }

  /** Picks a worker that is not paused. */
  pick(random: Random): WorkerProcess | undefined {
    return random.pick(this.#slots.filter(({ worker }) => !worker.paused))?.worker;
  }

  /** Orders all workers to finish. If some miss the deadline, kills all and records a crash. */
  async finish(deadlineMs: number): Promise<void> {
    this.#closing = true;
    const timer = setTimeout(() => void this.#missDeadline(deadlineMs), deadlineMs);
    await Promise.all(this.#slots.map(({ worker }) => worker.resume()));
    for (const { worker } of this.#slots) worker.send({ order: "finish" });
    for (const slot of this.#slots) this.#recordCrash(slot, await slot.worker.ended);
    clearTimeout(timer);
  }

  /** Kills all workers. */
  async killAll(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#slots.map(({ worker }) => worker.kill()));
  }

  async #missDeadline(deadlineMs: number): Promise<void> {
    this.crashes.push(`some workers did not finish within ${deadlineMs} ms`);
    await this.killAll();
  }

  #start(slot: number, generation: number): WorkerProcess {
    const { worker, entry } = this.#program;
    return new WorkerProcess(worker, { ...this.#task, slot, generation }, entry);
  }

  #recordCrash({ number, generation }: Slot, failure: string | undefined): void {
    if (failure !== undefined) this.crashes.push(`worker ${number}, generation ${generation}, ${failure}`);
  }

  async #follow(slot: Slot): Promise<void> {
    for (;;) {
      const failure = await slot.worker.ended;
      if (this.#closing) return;
      this.#recordCrash(slot, failure);
      this.#earlierCalls += slot.worker.calls;
      slot.worker = this.#start(slot.number, ++slot.generation);
    }
  }
}
