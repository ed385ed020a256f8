import type { SessionStore } from "@sessions/protocol";
import type { Expectations } from "./expectations.js";
import type { Fault } from "./fault.js";
import type { FaultControl } from "./fault-control.js";
import type { Operation } from "./operations/operation.js";
import type { Outcome } from "./outcome.js";
import type { TrialPlace } from "./trial-place.js";

/** One operation during which one system call fails. */
export interface TrialTask {
  readonly operation: Operation;
  readonly fault: Fault | undefined;
  /** Whether the store has read everything before the calls. Otherwise it is newly opened. */
  readonly isWarm: boolean;
  readonly place: TrialPlace;
  readonly control: FaultControl;
  readonly expectations: Expectations;
  /** Called with what the trial does next. */
  readonly onStep: (step: string) => Promise<void>;
  /** The contents that another process finds in a folder. Only for some trials, because it is slow. */
  readonly viewInProcess?: ((folder: string) => Promise<string>) | undefined;
}

/** The calls of a trial after they were made. */
export interface Tried {
  readonly task: TrialTask;
  readonly outcomes: readonly Outcome[];
  /** Makes a call again, on the same store or another one. */
  readonly again: (index: number, commitId: string, store?: SessionStore) => Promise<Outcome>;
  /** The store that met the fault. `undefined` where the operation opens one itself. */
  readonly store: SessionStore | undefined;
}
