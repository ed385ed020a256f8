import type { Recorder } from "@sessions/conformance/multi-process";
import type { SessionStore } from "@sessions/protocol";
import type { Random } from "run-tools";
import type { LogLine } from "../../log/log-line.js";
import type { SteppedClock } from "../../worker/stepped-clock.js";
import type { WorkerTask } from "../../worker/worker-task.js";

/** What an operation needs. Each lane of a worker has one. */
export interface OperationContext {
  readonly task: WorkerTask;
  /** The prefix of all ids that this lane makes. It is unique in the run. */
  readonly name: string;
  readonly store: SessionStore;
  readonly recorder: Recorder;
  readonly clock: SteppedClock;
  readonly random: Random;
  readonly write: (line: LogLine) => void;
  /** The next number for an id of this lane. */
  readonly next: () => number;
}

/** Makes one or a few calls. Throws when one is refused. */
export type Operation = (context: OperationContext) => Promise<void>;
