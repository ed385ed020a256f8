import { sharedClock } from "@sessions/conformance/multi-process";
import type { Random } from "run-tools";
import { idle } from "../calls/work/idle.js";
import type { Opened } from "../worker/run-worker.js";
import type { Deliverer } from "./deliverer.js";
import { updateOf } from "./deliverers.js";
import { isExpectedTurnError } from "./expected-turn-errors.js";
import type { Update } from "./update.js";

/** How many updates all users send in a second. */
const UPDATES_PER_SECOND = 24;
/** Several processes deliver the same ones: those that were sent last. */
const NEWEST = 14;
const OLDEST = 300;
const DELIVERS_AN_OLD_ONE = 0.06;
const DELIVERS_TWICE = 0.15;
const MEDDLES = 0.08;
const MEDDLES_AFTER_A_FAILURE = 0.4;
const PAUSE_MS = 20;
const REFUSED_MS = 60;

/** What a lane works with. */
export interface LanePlace extends Pick<Opened, "task" | "tolerates" | "surprise"> {
  readonly random: Random;
  readonly deliverer: Deliverer;
}

/** One of several things that a worker does at the same time: it delivers one update after the other, each again and again. */
export class DeliveryLane {
  readonly #place: LanePlace;
  #stopped = false;

  constructor(place: LanePlace) {
    this.#place = place;
  }

  async run(between: () => void): Promise<void> {
    while (!this.#stopped) {
      between();
      await this.#deliver(this.#pick());
      await idle(this.#place, PAUSE_MS);
    }
  }

  /** Puts in order and delivers again what an earlier life of this worker did not hear of. */
  async catchUp(unanswered: readonly Update[]): Promise<void> {
    const { deliverer } = this.#place;
    for (const update of unanswered) {
      await this.#try(() => deliverer.meddle(update));
      await this.#try(() => deliverer.deliver(update));
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  #pick(): Update {
    const { random, task } = this.#place;
    const newest = Math.floor(((sharedClock() - task.startedAt) / 1e6) * UPDATES_PER_SECOND);
    const age = random.between(0, random.chance(DELIVERS_AN_OLD_ONE) ? OLDEST : NEWEST);
    return updateOf(task, Math.max(0, newest - age));
  }

  async #deliver(update: Update): Promise<void> {
    const { random, deliverer } = this.#place;
    const isDone = await this.#try(() => deliverer.deliver(update));
    if (random.chance(isDone ? MEDDLES : MEDDLES_AFTER_A_FAILURE))
      await this.#try(() => deliverer.meddle(update));
    if (random.chance(DELIVERS_TWICE)) await this.#try(() => deliverer.deliver(update));
  }

  async #try(work: () => Promise<void>): Promise<boolean> {
    const { tolerates, surprise } = this.#place;
    try {
      await work();
      return true;
    } catch (error) {
      if (!isExpectedTurnError(error, tolerates)) surprise(error);
      // Who is refused comes again a little later, or a full disk would see nothing but refusals.
      await idle(this.#place, REFUSED_MS);
      return false;
    }
  }
}
