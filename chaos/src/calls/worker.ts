/** The program of a worker of the target "store": it makes calls in three lanes at once, and watches the whole store. */
import { Recorder } from "@sessions/conformance/multi-process";
import { Random } from "run-tools";
import { type LaneGroup, runWorker, type WorkerContext } from "../worker/run-worker.js";
import { CallLane } from "./call-lane.js";
import { FeedFollower } from "./feed-follower.js";

const LANES = 3;

await runWorker((context) => {
  const { task, module, store, write, tolerates, logUnexpected } = context;
  const lanes = lanesOf(context);
  const { logs, slot: watcher } = task;
  const follower = new FeedFollower({ store, watcher, logs, write, tolerates });
  return {
    async run(between) {
      const following = module.noFeeds === undefined ? follower.run().catch(logUnexpected) : undefined;
      if (task.generation > 1) await lanes[0]?.catchUp();
      // All lanes share one clock. It is stepped between two operations of the first lane.
      await Promise.all(lanes.map((lane, index) => lane.run(index === 0 ? between : () => undefined)));
      follower.stop();
      await following;
    },
    stop() {
      for (const lane of lanes) lane.stop();
    },
  } satisfies LaneGroup;
});

function lanesOf({ task, name, store, clock, tolerates, write }: WorkerContext): readonly CallLane[] {
  const recorder = new Recorder(name, write);
  return Array.from({ length: LANES }, (_, index) => {
    let ids = 0;
    const laneContext = {
      task,
      name: `${name}-${index}`,
      store,
      recorder,
      clock,
      random: new Random(task.seed, name, index),
      write,
      next: () => ++ids,
    };
    return new CallLane(laneContext, { turns: index === 0, tolerates });
  });
}
