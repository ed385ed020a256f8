import { expect } from "vitest";
import type { CaseContext } from "../case.js";
import type { Place } from "../harness.js";
import { checkHistory } from "../history/check-history.js";
import type { HistoryEvent } from "../history/history-event.js";
import { Recorder } from "./recorder.js";
import { WorkerProcess } from "./worker-process.js";
import type { Workplace } from "./workload.js";

/** Several processes on the same data, and one log of everything that they do. */
export class Fleet {
  readonly log: HistoryEvent[] = [];
  readonly #place: Place;
  readonly #workers: WorkerProcess[] = [];
  readonly #here: Recorder = new Recorder("here", (event) => this.log.push(event));

  private constructor(place: Place) {
    this.#place = place;
  }

  /** Runs `use` with a fleet; whatever it started has nothing to do with the place any more afterwards. */
  static async use(context: CaseContext, use: (fleet: Fleet) => Promise<void>): Promise<void> {
    const fleet = new Fleet(context.place);
    try {
      await use(fleet);
    } finally {
      await Promise.all(fleet.#workers.map((worker) => worker.dismiss()));
    }
  }

  /** Starts more processes. */
  async start<const Names extends readonly string[]>(
    ...names: Names
  ): Promise<{ readonly [N in keyof Names]: WorkerProcess }>;
  async start(...names: readonly string[]): Promise<readonly WorkerProcess[]> {
    // All of them, also where one fails: what was started must be known, so that it can be ended.
    const started = await Promise.allSettled(names.map((name) => this.#startOne(name)));
    return started.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
  }

  /** This process as one of the fleet. */
  here(store: Workplace["store"]): Workplace {
    return { store, recorder: this.#here, note: () => undefined };
  }

  /** Everything that was done keeps the contract. */
  expectSound(): void {
    expect(checkHistory(this.log)).toEqual([]);
  }

  async #startOne(name: string): Promise<WorkerProcess> {
    const { otherProcess } = this.#place;
    if (otherProcess === undefined)
      throw new Error("the harness does not say how another process opens the data");
    const worker = await WorkerProcess.start(name, otherProcess, (event) => this.log.push(event));
    this.#workers.push(worker);
    return worker;
  }
}
