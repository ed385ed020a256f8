import type { SessionStore } from "@sessions/protocol";
import type { Expectations } from "./expectations.js";
import type { Fault } from "./fault.js";
import type { FaultControl } from "./fault-control.js";
import type { Operation } from "./operations/operation.js";
import type { Outcome } from "./outcome.js";
import type { TrialPlace } from "./trial-place.js";

/** One operation on a store of which one system call fails. */
export interface TrialTask {
  readonly operation: Operation;
  readonly fault: Fault | undefined;
  /** Whether the store has read everything before, or was opened just now. */
  readonly isWarm: boolean;
  readonly place: TrialPlace;
  readonly control: FaultControl;
  readonly expectations: Expectations;
  /** Called with what the trial does next. */
  readonly onStep: (step: string) => Promise<void>;
  /** What a process of its own finds in a folder; for some trials only, because it takes long. */
  readonly viewInProcess?: ((folder: string) => Promise<string>) | undefined;
}

/** The calls of a trial after they were made. */
export interface Tried {
  readonly task: TrialTask;
  readonly outcomes: readonly Outcome[];
  /** Makes a call again, through the same store or another one. */
  readonly again: (index: number, commitId: string, store?: SessionStore) => Promise<Outcome>;
  /** The store that the fault hit; none where the operation opens one itself. */
  readonly store: SessionStore | undefined;
}
