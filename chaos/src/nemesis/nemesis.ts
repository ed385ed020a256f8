import { setTimeout } from "node:timers/promises";
import { Random } from "run-tools";
import type { Fleet } from "../run/fleet.js";
import { describeError } from "../worker/expected-errors.js";
import type { SmallDisk } from "./small-disk.js";
import { type Strike, strikes } from "./strikes.js";
import type { Surroundings } from "./surroundings.js";

const MINUTE_MS = 60_000;

/** How a run is disturbed. */
export interface NemesisOptions {
  readonly seed: number;
  readonly pauseMs: number;
  /** Whether to set workers' clocks. */
  readonly steps: boolean;
  readonly disk: SmallDisk | undefined;
  readonly surroundings: Surroundings | undefined;
}

/** How often each disturbance has happened so far. */
export interface Struck {
  kills: number;
  pauses: number;
  clockSteps: number;
  filledDisks: number;
  /** Disturbances of this store's server, by name. */
  readonly own: Record<string, number>;
}

/** Kills, pauses, sets clocks and fills the disk at random times. Long disturbances overlap with the next ones. */
export class Nemesis {
  readonly struck: Struck = { kills: 0, pauses: 0, clockSteps: 0, filledDisks: 0, own: {} };
  readonly #fleet: Fleet;
  readonly #options: NemesisOptions;
  // One generator for each purpose: concurrent work must not change the choices of the others.
  readonly #moments: Random;
  readonly #victims: Random;
  readonly #room: Random;
  readonly #surroundings: Random;
  #filling = false;
  #lastOwn: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  readonly #underWay = new Set<Promise<void>>();

  constructor(fleet: Fleet, options: NemesisOptions) {
    this.#fleet = fleet;
    this.#options = options;
    this.#moments = new Random(options.seed, "moments");
    this.#victims = new Random(options.seed, "victims");
    this.#room = new Random(options.seed, "room");
    this.#surroundings = new Random(options.seed, "surroundings");
    for (const name of this.#ownNames) this.struck.own[name] = 0;
  }

  /** Disturbs the run until it is enough. Then it resumes paused processes and frees the disk. */
  async rage(enough: () => boolean, signal: AbortSignal): Promise<void> {
    for (const strike of strikes(this.#moments, this.#ownNames)) {
      if (enough() || signal.aborted || this.#failure !== undefined) break;
      await this.#wait(this.#moments.between(100, 700), signal);
      if (enough() || signal.aborted) break;
      await this.#strike(strike, signal);
    }
    await Promise.all(this.#underWay);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #strike(strike: Strike, signal: AbortSignal): Promise<void> {
    if (typeof strike === "object") this.#meanwhile(this.#strikeOwn(strike.own, signal));
    else if (strike === "kill") await this.#kill();
    else if (strike === "pause") this.#meanwhile(this.#pause(signal));
    else if (strike === "fill-disk") this.#meanwhile(this.#fillDisk(signal));
    else this.#stepClock();
  }

  async #kill(): Promise<void> {
    const worker = this.#fleet.pick(this.#victims);
    if (worker === undefined) return;
    await worker.kill();
    this.struck.kills++;
  }

  /** One pause at a time: the other processes have to continue meanwhile. */
  async #pause(signal: AbortSignal): Promise<void> {
    const worker = this.#fleet.pick(this.#victims);
    if (worker === undefined || this.#fleet.paused > 0) return;
    await worker.pause();
    await this.#wait(this.#options.pauseMs, signal);
    await worker.resume();
    this.struck.pauses++;
  }

  async #fillDisk(signal: AbortSignal): Promise<void> {
    const { disk } = this.#options;
    if (disk === undefined || this.#filling) return;
    this.#filling = true;
    await disk.fill(this.#room.between(0, 8));
    await this.#wait(this.#room.between(200, 1200), signal);
    await disk.free();
    this.#filling = false;
    this.struck.filledDisks++;
  }

  get #ownNames(): readonly string[] {
    return Object.keys(this.#options.surroundings?.strikes ?? {});
  }

  /** One after the other: a server that is down cannot be disturbed further. */
  async #strikeOwn(name: string, signal: AbortSignal): Promise<void> {
    const strike = this.#options.surroundings?.strikes[name];
    if (strike === undefined) return;
    const wait = (ms: number): Promise<void> => this.#wait(ms, signal);
    this.#lastOwn = this.#lastOwn.then(() => strike(this.#surroundings, wait));
    await this.#lastOwn;
    this.struck.own[name] = (this.struck.own[name] ?? 0) + 1;
  }

  #stepClock(): void {
    if (!this.#options.steps) return;
    const ms = this.#victims.between(-10 * MINUTE_MS, 10 * MINUTE_MS);
    this.#fleet.pick(this.#victims)?.tell({ order: "step-clock", ms });
    this.struck.clockSteps++;
  }

  #meanwhile(work: Promise<void>): void {
    const settled = work
      .catch((error: unknown) => {
        this.#failure = new Error(`the nemesis itself failed: ${describeError(error)}`, { cause: error });
      })
      .finally(() => this.#underWay.delete(settled));
    this.#underWay.add(settled);
  }

  /** Ends early when the run does. */
  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    await setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
