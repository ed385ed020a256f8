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

/** What a worker works with once its store is open. */
export interface Opened {
  readonly task: WorkerTask;
  /** The worker's name in the log. */
  readonly name: string;
  readonly module: ChaosStore;
  readonly store: SessionStore;
  readonly clock: SteppedClock;
  readonly tolerates: readonly ErrorCode[];
  readonly write: (line: LogLine) => void;
  /** Logs a failure that no store may show. */
  readonly surprise: (error: unknown) => void;
}

/** What a worker does until it is stopped. */
export interface Crew {
  /** `between` is called between two pieces of work. */
  run(between: () => void): Promise<void>;
  stop(): void;
}

/**
 * The program of a worker: `node worker.js <task>`. It opens the store and lets the crew work. It ends when the run orders
 * it to, or when the run is gone. Every call is in its log.
 */
export async function runWorker(hire: (opened: Opened) => Crew): Promise<void> {
  process.on("disconnect", () => process.exit(0));
  process.on("SIGINT", () => undefined); // Ctrl-C reaches the whole group; the run decides when workers end
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
  const surprise = (error: unknown): void =>
    write({ type: "surprise", process: name, at: sharedClock(), session: "", detail: describeError(error) });
  process.on("unhandledRejection", surprise);

  const store = await openWithRetries(() => module.open(task.data, clock), tolerates);
  const crew = hire({ task, name, module, store, clock, tolerates, write, surprise });
  let steps: readonly number[] = [];
  process.on("message", (order: Order) => {
    if (order.order === "step-clock") steps = [...steps, order.ms];
    else crew.stop();
  });
  const stepClock = (): void => {
    for (const ms of steps) clock.step(ms);
    steps = [];
  };

  const progress = setInterval(() => process.send?.({ calls } satisfies Progress), PROGRESS_MS);
  await crew.run(stepClock);
  clearInterval(progress);
  await store.close().catch(surprise);
  log.close();
  process.disconnect?.();
}
