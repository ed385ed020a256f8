import type { SessionsPlace } from "./sessions-place.js";
import { WorkerProcess } from "./worker-process.js";

/** The workers of a bot. A killed worker is replaced. */
export class Fleet {
  readonly #start: () => Promise<WorkerProcess>;
  #workers: readonly WorkerProcess[] = [];
  #starting: readonly Promise<void>[] = [];
  #kills = 0;
  #isOver = false;

  private constructor(program: URL, place: SessionsPlace) {
    this.#start = () => WorkerProcess.start(program, place);
  }

  static async start(program: URL, place: SessionsPlace, size: number): Promise<Fleet> {
    const fleet = new Fleet(program, place);
    try {
      await Promise.all(Array.from({ length: size }, () => fleet.#add()));
    } catch (error) {
      await fleet.end();
      throw error;
    }
    return fleet;
  }

  get kills(): number {
    return this.#kills;
  }

  /** Picks any worker, whatever the conversation, because the store coordinates them. */
  any(): WorkerProcess | undefined {
    return this.#workers[Math.floor(Math.random() * this.#workers.length)];
  }

  /** Kills the busiest worker, in the middle of its answers. */
  async killBusiest(): Promise<void> {
    const [busiest] = this.#workers.toSorted((a, b) => b.inFlight - a.inFlight);
    if (busiest === undefined || this.#isOver) return;
    this.#workers = this.#workers.filter((worker) => worker !== busiest);
    this.#kills++;
    const replaced = this.#add();
    this.#starting = [...this.#starting, replaced];
    await Promise.all([busiest.kill(), replaced]);
  }

  /** Ends all workers. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#starting);
    await Promise.all(this.#workers.map((worker) => worker.kill()));
    this.#workers = [];
  }

  async #add(): Promise<void> {
    const worker = await this.#start();
    this.#workers = [...this.#workers, worker];
  }
}
