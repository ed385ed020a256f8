/** The program of a worker of the targets "bots" and "agents": it delivers updates in several lanes at once. */
import { Random } from "run-tools";
import { runWorker } from "../worker/run-worker.js";
import { delivererOf } from "./deliverers.js";
import { DeliveryLane } from "./delivery-lane.js";
import { unanswered } from "./unanswered.js";

const LANES = 6;

await runWorker((opened) => {
  const { task, name, write } = opened;
  const script = { process: name, random: new Random(task.seed, name, "model"), write, fails: true };
  // One for all lanes, as a worker has one bot: those who come at the same time have to pass each other.
  const deliverer = delivererOf(task, script, { ...opened, ttlMs: task.turnTtlMs });
  const lanes = Array.from(
    { length: LANES },
    (_, index) => new DeliveryLane({ ...opened, random: new Random(task.seed, name, index), deliverer }),
  );
  return {
    async run(between) {
      if (task.life > 1) await lanes[0]?.catchUp(unanswered(task));
      await Promise.all(lanes.map((lane, index) => lane.run(index === 0 ? between : () => undefined)));
    },
    stop() {
      for (const lane of lanes) lane.stop();
    },
  };
});
