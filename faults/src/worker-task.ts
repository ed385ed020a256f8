import type { Fault, SystemCall } from "./fault.js";

/** The task of the process under test. */
export interface WorkerTask {
  /** The module of the store. */
  readonly module: string;
  /** The folder for all data. System calls on paths below it may fail. */
  readonly root: string;
  readonly control: string;
  readonly seed: number;
  /** The number of combinations to try; all of them if absent. */
  readonly sample?: number | undefined;
  /** Only operations whose name contains this. */
  readonly only?: string | undefined;
  /** Only faults of this call. */
  readonly call?: SystemCall | undefined;
}

/** A combination after which the stored data differed from the answers that callers got. */
export interface Violation {
  readonly operation: string;
  readonly isWarm: boolean;
  readonly fault: Fault | undefined;
  readonly answers: readonly string[];
  readonly what: readonly string[];
}

/** What the process under test reports. */
export type WorkerMessage =
  | { readonly kind: "progress"; readonly tried: number; readonly all: number; readonly operation: string }
  /** What the process does next. If it hangs, its last step says where. */
  | { readonly kind: "step"; readonly step: string }
  | { readonly kind: "violation"; readonly violation: Violation }
  | { readonly kind: "done"; readonly tally: Tally };

/** What was tried, in numbers. */
export interface Tally {
  /** By operation. */
  readonly tried: Readonly<Record<string, number>>;
  /** By the answer that callers got. */
  readonly answers: Readonly<Record<string, number>>;
  /** Combinations in which the system call was not made this time, so that nothing failed. */
  readonly missed: number;
  /** The number of combinations: all of them, or those of the operations that a sample was drawn from. */
  readonly all: number;
}
