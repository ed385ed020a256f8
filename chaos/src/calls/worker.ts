/** The program of a worker of the target "store": it works in three lanes at once, and watches the whole store. */
import { Recorder } from "@sessions/conformance/multi-process";
import { Random } from "run-tools";
import { type Crew, type Opened, runWorker } from "../worker/run-worker.js";
import { Lane } from "./call-lane.js";
import { FeedFollower } from "./feed-follower.js";

const LANES = 3;

await runWorker((opened) => {
  const { task, module, store, write, tolerates, surprise } = opened;
  const lanes = lanesOf(opened);
  const { logs, slot: watcher } = task;
  const follower = new FeedFollower({ store, watcher, logs, write, tolerates });
  return {
    async run(between) {
      const following = module.noFeeds === undefined ? follower.run().catch(surprise) : undefined;
      if (task.life > 1) await lanes[0]?.catchUp();
      // One clock for all lanes: it is stepped between two pieces of work of the first.
      await Promise.all(lanes.map((lane, index) => lane.run(index === 0 ? between : () => undefined)));
      follower.stop();
      await following;
    },
    stop() {
      for (const lane of lanes) lane.stop();
    },
  } satisfies Crew;
});

function lanesOf({ task, name, store, clock, tolerates, write }: Opened): readonly Lane[] {
  const recorder = new Recorder(name, write);
  return Array.from({ length: LANES }, (_, index) => {
    let named = 0;
    const place = {
      task,
      name: `${name}-${index}`,
      store,
      recorder,
      clock,
      random: new Random(task.seed, name, index),
      write,
      next: () => ++named,
    };
    return new Lane(place, { turns: index === 0, tolerates });
  });
}
