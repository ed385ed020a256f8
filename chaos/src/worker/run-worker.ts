import { sharedClock } from "@sessions/conformance/multi-process";
import type { ErrorCode, SessionStore } from "@sessions/protocol";
import { LogFile } from "../log/log-file.js";
import type { LogLine } from "../log/log-line.js";
import type { ChaosStore } from "../stores/chaos-store.js";
import { describeError } from "./expected-errors.js";
import { openWithRetries } from "./open-with-retries.js";
import { SteppedClock } from "./stepped-clock.js";
import { type Order, type Progress, processName, type WorkerTask } from "./worker-task.js";

const PROGRESS_MS = 200;

/** What a worker works with after its store is open. */
export interface WorkerContext {
  readonly task: WorkerTask;
  /** The name of the worker in the log. */
  readonly name: string;
  readonly module: ChaosStore;
  readonly store: SessionStore;
  readonly clock: SteppedClock;
  readonly tolerates: readonly ErrorCode[];
  readonly write: (line: LogLine) => void;
  /** Logs an error that no store may throw. */
  readonly logUnexpected: (error: unknown) => void;
}

/** The lanes of a worker, which run until they are stopped. */
export interface LaneGroup {
  /** Calls `between` before each operation of one of the lanes. */
  run(between: () => void): Promise<void>;
  stop(): void;
}

/**
 * Runs a worker: `node worker.js <task>`. The worker opens the store and runs its lanes. It ends when the run orders it to,
 * or when the process of the run has ended. Its log has every call.
 */
export async function runWorker(createLanes: (context: WorkerContext) => LaneGroup): Promise<void> {
  process.on("disconnect", () => process.exit(0));
  process.on("SIGINT", () => undefined); // Ctrl-C signals the whole process group, but the run decides when workers end
  const task: WorkerTask = JSON.parse(process.argv[2] ?? "");
  const name = processName(task);
  const log = new LogFile(task.logs, name);
  const clock = new SteppedClock();
  const module: ChaosStore = await import(task.store);
  const tolerates = module.tolerates ?? [];

  let calls = 0;
  const write = (line: LogLine): void => {
    if (line.type === "invoke" || line.type === "delivered") calls++;
    log.write(line);
  };
  const logUnexpected = (error: unknown): void =>
    write({
      type: "unexpected-error",
      process: name,
      at: sharedClock(),
      session: "",
      detail: describeError(error),
    });
  process.on("unhandledRejection", logUnexpected);

  const store = await openWithRetries(() => module.open(task.data, clock), tolerates);
  const lanes = createLanes({ task, name, module, store, clock, tolerates, write, logUnexpected });
  let steps: readonly number[] = [];
  process.on("message", (order: Order) => {
    if (order.order === "step-clock") steps = [...steps, order.ms];
    else lanes.stop();
  });
  const stepClock = (): void => {
    for (const ms of steps) clock.step(ms);
    steps = [];
  };

  const progress = setInterval(() => process.send?.({ calls } satisfies Progress), PROGRESS_MS);
  await lanes.run(stepClock);
  clearInterval(progress);
  await store.close().catch(logUnexpected);
  log.close();
  process.disconnect?.();
}
