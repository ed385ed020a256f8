import type { Recorder } from "@sessions/conformance/multi-process";
import type { SessionStore } from "@sessions/protocol";
import type { Random } from "run-tools";
import type { LogLine } from "../../log/log-line.js";
import type { SteppedClock } from "../../worker/stepped-clock.js";
import type { WorkerTask } from "../../worker/worker-task.js";

/** What a piece of work needs. Each lane of a worker has one. */
export interface WorkContext {
  readonly task: WorkerTask;
  /** Names what this lane makes: nobody else, before or after, uses the same names. */
  readonly name: string;
  readonly store: SessionStore;
  readonly recorder: Recorder;
  readonly clock: SteppedClock;
  readonly random: Random;
  readonly write: (line: LogLine) => void;
  /** Counts what this lane has named. */
  readonly next: () => number;
}

/** Does one thing, with one or a few calls. Refusals are thrown. */
export type Work = (place: WorkContext) => Promise<void>;
