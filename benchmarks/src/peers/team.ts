import type { Keeper, Writes } from "peers";
import { startWorker, type Worker } from "../worker.js";
import { type Added, isAdded } from "./added.js";
import type { Tally } from "./tally.js";

/** The task of each process of a team. */
export interface Task {
  readonly keeper: Keeper;
  readonly where: string;
  readonly writes: Writes;
  readonly turns: number;
}

/** Processes that take turns in the same conversations, one conversation after the other. */
export class Team implements AsyncDisposable {
  readonly #task: Task;
  readonly #workers: readonly Worker[];

  private constructor(task: Task, workers: readonly Worker[]) {
    this.#task = task;
    this.#workers = workers;
  }

  static async start(processes: number, task: Task): Promise<Team> {
    const { keeper, where, writes, turns } = task;
    const names = Array.from({ length: processes }, (_, index) => `w${index}`);
    const team = new Team(
      task,
      names.map((name) => startWorker("take-turns", [keeper.name, where, name, writes, String(turns)])),
    );
    try {
      await Promise.all(team.#workers.map((worker) => worker.hear()));
    } catch (error) {
      await team[Symbol.asyncDispose]();
      throw error;
    }
    return team;
  }

  /** The time from the start signal until the last process is done. */
  async take(id: string): Promise<Tally> {
    const { keeper, where } = this.#task;
    const start = performance.now();
    const added = await Promise.all(this.#workers.map((worker) => addedBy(worker, id)));
    const elapsed = performance.now() - start;
    const acknowledged = added.flatMap((each) => each.acknowledged);
    const failures = added.flatMap((each) => each.failures);
    const kept = await keptOf(keeper, where, id, acknowledged);
    const cpu = added.reduce((sum, each) => sum + each.cpuMs, 0);
    return { elapsed, cpu, acknowledged: acknowledged.length, failures, kept };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.end()));
  }
}

async function addedBy(worker: Worker, id: string): Promise<Added> {
  const done = worker.hear();
  worker.tell(id);
  const word = await done;
  if (!isAdded(word)) throw new Error("a worker said something else than what it has added");
  return word;
}

/** The number of messages that a reader gets. "unreadable": the stored conversation is broken. */
async function keptOf(
  keeper: Keeper,
  where: string,
  id: string,
  acknowledged: readonly string[],
): Promise<Tally["kept"]> {
  await using conversations = await keeper.open(where);
  try {
    const ids = new Set(await conversations.ids(id));
    return acknowledged.filter((each) => ids.has(each)).length;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error; // two processes wrote one file at once, and it is no JSON any more
    return "unreadable";
  }
}
