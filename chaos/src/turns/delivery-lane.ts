import { sharedClock } from "@sessions/conformance/multi-process";
import type { Random } from "run-tools";
import { pauseRandomly } from "../worker/random-pause.js";
import type { WorkerContext } from "../worker/run-worker.js";
import type { Deliverer } from "./deliverer.js";
import { updateOf } from "./deliverers.js";
import { isExpectedTurnError } from "./expected-turn-errors.js";
import type { Update } from "./update.js";

/** How many updates all users send in a second. */
const UPDATES_PER_SECOND = 24;
/** A few of the newest updates, so that several processes deliver the same ones. */
const MAX_AGE = 14;
const MAX_AGE_OF_OLD = 300;
const OLD_UPDATE_CHANCE = 0.06;
const SECOND_DELIVERY_CHANCE = 0.15;
const LINK_OR_RECOVER_CHANCE = 0.08;
const LINK_OR_RECOVER_CHANCE_AFTER_FAILURE = 0.4;
const PAUSE_MS = 20;
const PAUSE_AFTER_REFUSAL_MS = 60;

/** What a lane works with. */
export interface LaneContext extends Pick<WorkerContext, "task" | "tolerates" | "logUnexpected"> {
  readonly random: Random;
  readonly deliverer: Deliverer;
}

/** One of the concurrent lanes of a worker. It delivers random updates, one after the other. */
export class DeliveryLane {
  readonly #context: LaneContext;
  #stopped = false;

  constructor(context: LaneContext) {
    this.#context = context;
  }

  async run(between: () => void): Promise<void> {
    while (!this.#stopped) {
      between();
      await this.#deliver(this.#pick());
      await pauseRandomly(this.#context, PAUSE_MS);
    }
  }

  /** Delivers the updates again that this worker delivered before its restart and that were not answered. */
  async catchUp(unanswered: readonly Update[]): Promise<void> {
    const { deliverer } = this.#context;
    for (const update of unanswered) {
      await this.#try(() => deliverer.linkOrRecover(update));
      await this.#try(() => deliverer.deliver(update));
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  #pick(): Update {
    const { random, task } = this.#context;
    const newest = Math.floor(((sharedClock() - task.startedAt) / 1e6) * UPDATES_PER_SECOND);
    const age = random.between(0, random.chance(OLD_UPDATE_CHANCE) ? MAX_AGE_OF_OLD : MAX_AGE);
    return updateOf(task, Math.max(0, newest - age));
  }

  async #deliver(update: Update): Promise<void> {
    const { random, deliverer } = this.#context;
    const isDone = await this.#try(() => deliverer.deliver(update));
    if (random.chance(isDone ? LINK_OR_RECOVER_CHANCE : LINK_OR_RECOVER_CHANCE_AFTER_FAILURE))
      await this.#try(() => deliverer.linkOrRecover(update));
    if (random.chance(SECOND_DELIVERY_CHANCE)) await this.#try(() => deliverer.deliver(update));
  }

  async #try(call: () => Promise<void>): Promise<boolean> {
    const { tolerates, logUnexpected } = this.#context;
    try {
      await call();
      return true;
    } catch (error) {
      if (!isExpectedTurnError(error, tolerates)) logUnexpected(error);
      // Without a pause, a full disk would fill the log with refusals.
      await pauseRandomly(this.#context, PAUSE_AFTER_REFUSAL_MS);
      return false;
    }
  }
}
