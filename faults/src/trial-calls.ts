import type { SessionStore } from "@sessions/protocol";
import type { Expectations } from "./expectations.js";
import type { Fault } from "./fault.js";
import type { FaultControl } from "./fault-control.js";
import type { Operation } from "./operations/operation.js";
import type { Outcome } from "./outcome.js";
import type { TrialFolder } from "./trial-folder.js";

/** One operation during which one system call fails. */
export interface TrialTask {
  readonly operation: Operation;
  readonly fault: Fault | undefined;
  /** Whether the store has read everything before the calls. Otherwise it is newly opened. */
  readonly isWarm: boolean;
  readonly folder: TrialFolder;
  readonly control: FaultControl;
  readonly expectations: Expectations;
  /** Reports what the trial does next. */
  readonly onStep: (step: string) => Promise<void>;
  /** Reads the contents of a folder in another process. Set for some trials only, because it is slow. */
  readonly viewInProcess?: ((folder: string) => Promise<string>) | undefined;
}

/** The calls of a trial after they were made. */
export interface TrialCalls {
  readonly task: TrialTask;
  readonly outcomes: readonly Outcome[];
  /** Makes a call again, on the same store or another one. */
  readonly makeCall: (index: number, commitId: string, store?: SessionStore) => Promise<Outcome>;
  /** The store that met the fault. `undefined` if the operation opened it itself, or if it is closed. */
  readonly store: SessionStore | undefined;
}
