import { setTimeout } from "node:timers/promises";
import { Random } from "run-tools";
import type { Fleet } from "../run/fleet.js";
import { describeError } from "../worker/expected-errors.js";
import { type Disturbance, disturbances } from "./disturbances.js";
import type { SmallDisk } from "./small-disk.js";
import type { StoreServer } from "./store-server.js";

const MINUTE_MS = 60_000;

/** How a run is disturbed. */
export interface NemesisOptions {
  readonly seed: number;
  readonly pauseMs: number;
  /** Whether to step the clocks of workers. */
  readonly clockSteps: boolean;
  readonly disk: SmallDisk | undefined;
  readonly server: StoreServer | undefined;
}

/** How often each disturbance has happened so far. */
export interface DisturbanceCounts {
  kills: number;
  pauses: number;
  clockSteps: number;
  filledDisks: number;
  /** Disturbances of the store's server, by name. */
  readonly server: Record<string, number>;
}

/** Kills and pauses workers, steps their clocks, fills the disk and disturbs the server at random times. Long disturbances overlap. */
export class Nemesis {
  readonly counts: DisturbanceCounts = { kills: 0, pauses: 0, clockSteps: 0, filledDisks: 0, server: {} };
  readonly #fleet: Fleet;
  readonly #options: NemesisOptions;
  // One generator for each purpose, because concurrent disturbances would change the choices of each other.
  readonly #times: Random;
  readonly #victims: Random;
  readonly #diskSpace: Random;
  readonly #server: Random;
  #isDiskFull = false;
  #lastOfServer: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  readonly #underWay = new Set<Promise<void>>();

  constructor(fleet: Fleet, options: NemesisOptions) {
    this.#fleet = fleet;
    this.#options = options;
    this.#times = new Random(options.seed, "moments");
    this.#victims = new Random(options.seed, "victims");
    this.#diskSpace = new Random(options.seed, "room");
    this.#server = new Random(options.seed, "surroundings");
    for (const name of this.#ofServer) this.counts.server[name] = 0;
  }

  /** Disturbs the run until `isDone`. Returns after paused processes are resumed and the disk is free again. */
  async disturb(isDone: () => boolean, signal: AbortSignal): Promise<void> {
    for (const disturbance of disturbances(this.#times, this.#ofServer)) {
      if (isDone() || signal.aborted || this.#failure !== undefined) break;
      await this.#wait(this.#times.between(100, 700), signal);
      if (isDone() || signal.aborted) break;
      await this.#begin(disturbance, signal);
    }
    await Promise.all(this.#underWay);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #begin(disturbance: Disturbance, signal: AbortSignal): Promise<void> {
    if (typeof disturbance === "object") this.#inBackground(this.#disturbServer(disturbance.server, signal));
    else if (disturbance === "kill") await this.#kill();
    else if (disturbance === "pause") this.#inBackground(this.#pause(signal));
    else if (disturbance === "fill-disk") this.#inBackground(this.#fillDisk(signal));
    else this.#stepClock();
  }

  async #kill(): Promise<void> {
    const worker = this.#fleet.pick(this.#victims);
    if (worker === undefined) return;
    await worker.kill();
    this.counts.kills++;
  }

  /** One pause at a time, so that the other processes continue meanwhile. */
  async #pause(signal: AbortSignal): Promise<void> {
    const worker = this.#fleet.pick(this.#victims);
    if (worker === undefined || this.#fleet.paused > 0) return;
    await worker.pause();
    await this.#wait(this.#options.pauseMs, signal);
    await worker.resume();
    this.counts.pauses++;
  }

  async #fillDisk(signal: AbortSignal): Promise<void> {
    const { disk } = this.#options;
    if (disk === undefined || this.#isDiskFull) return;
    this.#isDiskFull = true;
    await disk.fill(this.#diskSpace.between(0, 8));
    await this.#wait(this.#diskSpace.between(200, 1200), signal);
    await disk.free();
    this.#isDiskFull = false;
    this.counts.filledDisks++;
  }

  get #ofServer(): readonly string[] {
    return Object.keys(this.#options.server?.disturbances ?? {});
  }

  /** One at a time: a server that is down cannot be disturbed further. */
  async #disturbServer(name: string, signal: AbortSignal): Promise<void> {
    const disturbance = this.#options.server?.disturbances[name];
    if (disturbance === undefined) return;
    const wait = (ms: number): Promise<void> => this.#wait(ms, signal);
    this.#lastOfServer = this.#lastOfServer.then(() => disturbance(this.#server, wait));
    await this.#lastOfServer;
    this.counts.server[name] = (this.counts.server[name] ?? 0) + 1;
  }

  #stepClock(): void {
    if (!this.#options.clockSteps) return;
    const ms = this.#victims.between(-10 * MINUTE_MS, 10 * MINUTE_MS);
    this.#fleet.pick(this.#victims)?.send({ order: "step-clock", ms });
    this.counts.clockSteps++;
  }

  #inBackground(disturbance: Promise<void>): void {
    const settled = disturbance
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
