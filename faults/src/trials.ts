import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Random } from "run-tools";
import { CleanExpectations } from "./clean-expectations.js";
import { type Fault, faultsOf } from "./fault.js";
import { FaultControl } from "./fault-control.js";
import { messageOfProcess } from "./message-of-process.js";
import { operations } from "./operations/index.js";
import type { Operation } from "./operations/operation.js";
import { writeSamples } from "./operations/samples.js";
import { stackOf } from "./stack-of.js";
import { importStore } from "./stores/import-store.js";
import type { StoreUnderTest } from "./stores/store-under-test.js";
import { runTrial, type TrialReport } from "./trial.js";
import { TrialFolder } from "./trial-folder.js";
import type { WorkerMessage, WorkerTask } from "./worker-task.js";

/** One in this many trials is also checked by another process. */
const TRIALS_PER_PROCESS = 50;

/** How long the other writer may take to open the store, write and close it. */
const OTHER_WRITER_SECONDS = 30;

/** Counting the system calls of a setting costs as much as a few trials, so a sample takes few faults of many settings. */
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
  readonly #send: (message: WorkerMessage) => Promise<void>;
  readonly #store: StoreUnderTest;
  readonly #control: FaultControl;
  readonly #base: string;
  readonly #uncaught: string[] = [];
  #folders = 0;

  private constructor(
    task: WorkerTask,
    send: (message: WorkerMessage) => Promise<void>,
    store: StoreUnderTest,
    base: string,
  ) {
    this.#task = task;
    this.#send = send;
    this.#store = store;
    this.#base = base;
    this.#control = FaultControl.open(task.control);
    for (const event of ["uncaughtException", "unhandledRejection"] as const)
      process.on(event, (error: unknown) =>
        this.#uncaught.push(`an error was not caught: ${stackOf(error)}`),
      );
  }

  static async begin(task: WorkerTask, send: (message: WorkerMessage) => Promise<void>): Promise<Trials> {
    const store = await importStore(task.module);
    const base = TrialFolder.empty(join(task.root, "base"), store);
    await writeSamples(await base.open());
    await base.closeAll();
    return new Trials(task, send, store, base.path);
  }

  async run(): Promise<void> {
    const { all, chosen } = await this.#chosen();
    const tried: Record<string, number> = {};
    const answers: Record<string, number> = {};
    let missed = 0;
    for (const [index, combination] of chosen.entries()) {
      const { name } = combination.operation;
      await this.#send({ kind: "progress", tried: index, all: chosen.length, operation: name });
      const report = await this.#try(combination, combination.fault, index % TRIALS_PER_PROCESS === 0);
      if (!report.counts.hasFailed) missed++;
      tried[name] = (tried[name] ?? 0) + 1;
      for (const answer of report.answers) answers[answer] = (answers[answer] ?? 0) + 1;
    }
    await this.#send({ kind: "done", tally: { tried, answers, missed, all } });
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
        const expectations = new CleanExpectations(operation, () => this.#makeFolder(operation));
        // An operation that opens the store itself always gets a new one.
        const warmths = operation.on === "nothing" ? [false] : [false, true];
        return warmths.map((isWarm) => ({ operation, isWarm, expectations }));
      });
  }

  /** Makes the calls once without a fault, counts their system calls, and returns every fault of these. */
  async #combinations(setting: Setting): Promise<readonly Combination[]> {
    const { counts } = await this.#try(setting, undefined, false);
    const otherWriter = this.#store.interleavesWriters && setting.operation.sharedSession !== undefined;
    const { call } = this.#task;
    const faults = faultsOf(counts.counts, otherWriter).filter(
      (fault) => call === undefined || fault.call === call,
    );
    return faults.map((fault) => ({ ...setting, fault }));
  }

  async #try(setting: Setting, fault: Fault | undefined, inProcess: boolean): Promise<TrialReport> {
    const { operation, isWarm, expectations } = setting;
    const folder = this.#makeFolder(operation);
    process.env.SESSIONS_FAULTS_OTHER_WRITER = this.#otherWriter(folder.path, operation.sharedSession);
    try {
      const viewInProcess = inProcess ? (path: string) => this.#viewInProcess(path) : undefined;
      const onStep = (step: string) => this.#send({ kind: "step", step: `${operation.name}: ${step}` });
      const control = this.#control;
      const task = { operation, fault, isWarm, folder, control, expectations, viewInProcess, onStep };
      const report = await runTrial(task);
      const what = [...report.violations, ...this.#uncaught.splice(0)];
      if (what.length > 0) {
        const violation = { operation: operation.name, isWarm, fault, answers: report.answers, what };
        await this.#send({ kind: "violation", violation });
      }
      return report;
    } finally {
      await folder.remove();
    }
  }

  #makeFolder({ on }: Operation): TrialFolder {
    const path = join(this.#task.root, `trial-${++this.#folders}`);
    if (on === "nothing") return TrialFolder.empty(path, this.#store);
    return TrialFolder.copyOf(this.#base, path, this.#store);
  }

  /** The shell command of the other writer, which runs without the shim. */
  #otherWriter(folder: string, session: string | undefined): string {
    const args = [process.execPath, program("other-writer"), this.#task.module, folder, session ?? ""];
    return `timeout -s KILL ${OTHER_WRITER_SECONDS} env -u LD_PRELOAD ${args.map((arg) => `'${arg}'`).join(" ")}`;
  }

  #viewInProcess(folder: string): Promise<string> {
    return messageOfProcess(program("send-view"), [this.#task.module, folder]);
  }
}

function program(name: string): string {
  return fileURLToPath(new URL(`./${name}.js`, import.meta.url));
}
