/**
 * The program of a worker: `node worker.js <task>`. It opens the store, works in three lanes at once, and writes down
 * every call. It ends when it is told to, and when whoever started it is gone.
 */
import { Recorder, sharedClock } from "@sessions/conformance/multi-process";
import { FeedFollower } from "./feed-follower.js";
import { Lane } from "./lane.js";
import { LogFile } from "./log/log-file.js";
import type { LogLine } from "./log/log-line.js";
import { openPatiently } from "./open-patiently.js";
import { Random } from "./random.js";
import { SteppedClock } from "./stepped-clock.js";
import type { ChaosStore } from "./stores/chaos-store.js";
import { inWords } from "./tolerable.js";
import { type Order, type Progress, processName, type WorkerTask } from "./worker-task.js";

const LANES = 3;

process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => undefined); // Ctrl-C reaches the whole group; the run decides when workers end

const task: WorkerTask = JSON.parse(process.argv[2] ?? "");
const name = processName(task);
const log = new LogFile(task.logs, name);
const clock = new SteppedClock();
const module: ChaosStore = await import(task.store);

let calls = 0;
let steps: readonly number[] = [];

function write(line: LogLine): void {
  if (line.type === "invoke") calls++;
  log.write(line);
}

function surprise(error: unknown): void {
  write({ type: "surprise", process: name, at: sharedClock(), session: "", detail: inWords(error) });
}

/** Between two pieces of work of this worker. */
function stepClock(): void {
  for (const ms of steps) clock.step(ms);
  steps = [];
}

process.on("unhandledRejection", surprise);
const tolerates = module.tolerates ?? [];
const store = await openPatiently(() => module.open(task.data, clock), tolerates);
const recorder = new Recorder(name, write);
const lanes = Array.from({ length: LANES }, (_, index) => {
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

const { logs, slot: watcher } = task;
const follower = new FeedFollower({ store, watcher, logs, write, tolerates });
const following = module.noFeeds === undefined ? follower.run().catch(surprise) : undefined;

process.on("message", (order: Order) => {
  if (order.order === "step-clock") steps = [...steps, order.ms];
  else for (const lane of lanes) lane.stop();
});

const progress = setInterval(() => process.send?.({ calls } satisfies Progress), 200);
if (task.life > 1) await lanes[0]?.catchUp();
await Promise.all(lanes.map((lane, index) => lane.run(index === 0 ? stepClock : () => undefined)));
clearInterval(progress);
follower.stop();
await following;
await store.close().catch(surprise);
log.close();
process.disconnect?.();
