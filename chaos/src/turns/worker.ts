/** The program of a worker of the targets "bots" and "agents": it delivers updates in several lanes at once. */
import { Random } from "run-tools";
import { runWorker } from "../worker/run-worker.js";
import { delivererOf } from "./deliverers.js";
import { DeliveryLane } from "./delivery-lane.js";
import { unansweredUpdates } from "./unanswered-updates.js";

const LANES = 6;

await runWorker((context) => {
  const { task, name, write } = context;
  const script = { process: name, random: new Random(task.seed, name, "model"), write, fails: true };
  // All lanes share one, as a worker has one bot, so that concurrent updates meet in the same bot.
  const deliverer = delivererOf(task, script, { ...context, ttlMs: task.turnTtlMs });
  const lanes = Array.from(
    { length: LANES },
    (_, index) => new DeliveryLane({ ...context, random: new Random(task.seed, name, index), deliverer }),
  );
  return {
    async run(between) {
      if (task.generation > 1) await lanes[0]?.catchUp(unansweredUpdates(task));
      await Promise.all(lanes.map((lane, index) => lane.run(index === 0 ? between : () => undefined)));
    },
    stop() {
      for (const lane of lanes) lane.stop();
    },
  };
});
