import { expect } from "vitest";
import type { CaseContext } from "../case.js";
import type { Place } from "../harness.js";
import { checkHistory } from "../history/check-history.js";
import type { HistoryEvent } from "../history/history-event.js";
import { otherProcessOf } from "./other-process-of.js";
import { Recorder } from "./recorder.js";
import { WorkerProcess } from "./worker-process.js";
import type { WorkerContext } from "./workload.js";

/** Several processes on the same data, with one log of all their calls. */
export class ProcessGroup {
  readonly log: HistoryEvent[] = [];
  readonly #place: Place;
  readonly #workers: WorkerProcess[] = [];
  readonly #recorder: Recorder = new Recorder("here", (event) => this.log.push(event));

  private constructor(place: Place) {
    this.#place = place;
  }

  /** Runs `use` with a group. Afterwards none of its processes has the place open. */
  static async use(context: CaseContext, use: (group: ProcessGroup) => Promise<void>): Promise<void> {
    const group = new ProcessGroup(context.place);
    try {
      await use(group);
    } finally {
      await Promise.all(group.#workers.map((worker) => worker.release()));
    }
  }

  /** Starts a process for each name. */
  async start<const Names extends readonly string[]>(
    ...names: Names
  ): Promise<{ readonly [N in keyof Names]: WorkerProcess }>;
  async start(...names: readonly string[]): Promise<readonly WorkerProcess[]> {
    // Wait for all, also where one fails: only a process that is in `#workers` is ended afterwards.
    const started = await Promise.allSettled(names.map((name) => this.#startOne(name)));
    return started.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
  }

  /** Records calls that this process makes itself. */
  thisProcess(store: WorkerContext["store"]): WorkerContext {
    return { store, recorder: this.#recorder, note: () => undefined };
  }

  /** Checks the log against the contract. */
  expectValidHistory(): void {
    expect(checkHistory(this.log)).toEqual([]);
  }

  async #startOne(name: string): Promise<WorkerProcess> {
    const how = otherProcessOf(this.#place);
    const worker = await WorkerProcess.start(name, how, (event) => this.log.push(event));
    this.#workers.push(worker);
    return worker;
  }
}
