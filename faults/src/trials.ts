import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Random } from "run-tools";
import { answerOfProcess } from "./answer-of-process.js";
import { CleanExpectations } from "./clean-expectations.js";
import { type Fault, faultsOf } from "./fault.js";
import { FaultControl } from "./fault-control.js";
import { operations } from "./operations/index.js";
import type { Operation } from "./operations/operation.js";
import { writeSamples } from "./operations/samples.js";
import type { FaultyStore } from "./stores/faulty-store.js";
import { importStore } from "./stores/import-store.js";
import { runTrial, type TrialReport } from "./trial.js";
import { TrialPlace } from "./trial-place.js";
import type { WorkerMessage, WorkerTask } from "./worker-task.js";

/** One in this many trials is also checked by another process. */
const TRIALS_PER_PROCESS = 50;

/** How long the other writer may take to open the store, write and close it. */
const OTHER_WRITER_SECONDS = 30;

/** Finding out what can fail costs as much as a few trials, so a sample takes few faults of many operations. */
const SAMPLED_PER_SETTING = 3;

/** An operation and the state of the store in which it is made. */
interface Setting {
  readonly operation: Operation;
  readonly isWarm: boolean;
  readonly expectations: CleanExpectations;
}

interface Combination extends Setting {
  readonly fault: Fault;
}

/** Makes every operation with every fault, one after the other. */
export class Trials {
  readonly #task: WorkerTask;
  readonly #say: (message: WorkerMessage) => Promise<void>;
  readonly #store: FaultyStore;
  readonly #control: FaultControl;
  readonly #base: string;
  readonly #stray: string[] = [];
  #places = 0;

  private constructor(
    task: WorkerTask,
    say: (message: WorkerMessage) => Promise<void>,
    store: FaultyStore,
    base: string,
  ) {
    this.#task = task;
    this.#say = say;
    this.#store = store;
    this.#base = base;
    this.#control = FaultControl.open(task.control);
    for (const event of ["uncaughtException", "unhandledRejection"] as const)
      process.on(event, (error: unknown) => this.#stray.push(`nobody caught ${inspected(error)}`));
  }

  static async begin(task: WorkerTask, say: (message: WorkerMessage) => Promise<void>): Promise<Trials> {
    const store = await importStore(task.module);
    const base = TrialPlace.empty(join(task.root, "base"), store);
    await writeSamples(await base.open());
    await base.closeAll();
    return new Trials(task, say, store, base.folder);
  }

  async run(): Promise<void> {
    const { all, chosen } = await this.#chosen();
    const tried: Record<string, number> = {};
    const told: Record<string, number> = {};
    let missed = 0;
    for (const [index, combination] of chosen.entries()) {
      const { name } = combination.operation;
      await this.#say({ kind: "progress", tried: index, all: chosen.length, operation: name });
      const report = await this.#try(combination, combination.fault, index % TRIALS_PER_PROCESS === 0);
      if (!report.watched.hasFailed) missed++;
      tried[name] = (tried[name] ?? 0) + 1;
      for (const code of report.told) told[code] = (told[code] ?? 0) + 1;
    }
    await this.#say({ kind: "done", tally: { tried, told, missed, all } });
  }

  /** The combinations to try, and the number of those they were chosen from. */
  async #chosen(): Promise<{ readonly all: number; readonly chosen: readonly Combination[] }> {
    const { sample, seed } = this.#task;
    const random = new Random(seed);
    const chosen: Combination[] = [];
    let all = 0;
    for (const setting of sample === undefined ? this.#settings() : random.shuffled(this.#settings())) {
      if (sample !== undefined && chosen.length >= sample) break;
      const combinations = await this.#combinations(setting);
      all += combinations.length;
      const some = random.shuffled(combinations).slice(0, SAMPLED_PER_SETTING);
      chosen.push(...(sample === undefined ? combinations : some));
    }
    return { all, chosen: chosen.slice(0, sample) };
  }

  #settings(): readonly Setting[] {
    const { only = "" } = this.#task;
    return operations
      .filter(({ name }) => name.includes(only))
      .flatMap((operation) => {
        const expectations = new CleanExpectations(operation, () => this.#place(operation));
        // An operation that opens the store itself always gets a cold one.
        const warmths = operation.on === "nothing" ? [false] : [false, true];
        return warmths.map((isWarm) => ({ operation, isWarm, expectations }));
      });
  }

  /** Makes the calls once without a fault, counts their system calls, and returns every fault that these can meet. */
  async #combinations(setting: Setting): Promise<readonly Combination[]> {
    const { watched } = await this.#try(setting, undefined, false);
    const otherWriter = this.#store.interleavesWriters && setting.operation.sharedSession !== undefined;
    const { call } = this.#task;
    const faults = faultsOf(watched.counts, otherWriter).filter(
      (fault) => call === undefined || fault.call === call,
    );
    return faults.map((fault) => ({ ...setting, fault }));
  }

  async #try(setting: Setting, fault: Fault | undefined, inProcess: boolean): Promise<TrialReport> {
    const { operation, isWarm, expectations } = setting;
    const place = this.#place(operation);
    process.env.SESSIONS_FAULTS_OTHER_WRITER = this.#otherWriter(place.folder, operation.sharedSession);
    try {
      const viewInProcess = inProcess ? (folder: string) => this.#viewInProcess(folder) : undefined;
      const onStep = (step: string) => this.#say({ kind: "step", step: `${operation.name}: ${step}` });
      const control = this.#control;
      const task = { operation, fault, isWarm, place, control, expectations, viewInProcess, onStep };
      const report = await runTrial(task);
      const what = [...report.violations, ...this.#stray.splice(0)];
      if (what.length > 0) {
        const violation = { operation: operation.name, isWarm, fault, told: report.told, what };
        await this.#say({ kind: "violation", violation });
      }
      return report;
    } finally {
      await place.remove();
    }
  }

  #place({ on }: Operation): TrialPlace {
    const folder = join(this.#task.root, `place-${++this.#places}`);
    if (on === "nothing") return TrialPlace.empty(folder, this.#store);
    return TrialPlace.copyOf(this.#base, folder, this.#store);
  }

  /** A shell command that runs without the shim. */
  #otherWriter(folder: string, session: string | undefined): string {
    const args = [process.execPath, program("other-writer"), this.#task.module, folder, session ?? ""];
    return `timeout -s KILL ${OTHER_WRITER_SECONDS} env -u LD_PRELOAD ${args.map((arg) => `'${arg}'`).join(" ")}`;
  }

  #viewInProcess(folder: string): Promise<string> {
    return answerOfProcess(program("send-view"), [this.#task.module, folder]);
  }
}

function program(name: string): string {
  return fileURLToPath(new URL(`./${name}.js`, import.meta.url));
}

function inspected(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
