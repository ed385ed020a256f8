import type { Fault, SystemCall } from "./fault.js";

/** What the process under test is told to do. */
export interface WorkerTask {
  /** The module of the store. */
  readonly module: string;
  /** Where it may work: system calls on paths below it may fail. */
  readonly root: string;
  readonly control: string;
  readonly seed: number;
  /** How many combinations to try; all of them where absent. */
  readonly sample?: number | undefined;
  /** Only operations whose name contains this. */
  readonly only?: string | undefined;
  /** Only faults of this call. */
  readonly call?: SystemCall | undefined;
}

/** A combination after which something was not as callers were told. */
export interface Violation {
  readonly operation: string;
  readonly isWarm: boolean;
  readonly fault: Fault | undefined;
  readonly told: readonly string[];
  readonly what: readonly string[];
}

/** What the process under test says. */
export type WorkerMessage =
  | { readonly kind: "progress"; readonly tried: number; readonly all: number; readonly operation: string }
  /** What it does now: the last step is where a process hangs that falls silent. */
  | { readonly kind: "step"; readonly step: string }
  | { readonly kind: "violation"; readonly violation: Violation }
  | { readonly kind: "done"; readonly tally: Tally };

/** How much was tried. */
export interface Tally {
  /** By operation. */
  readonly tried: Readonly<Record<string, number>>;
  /** By what callers were told. */
  readonly told: Readonly<Record<string, number>>;
  /** Combinations in which the call was not made that time, so that nothing failed. */
  readonly missed: number;
  /** How many combinations there are: of everything, or of the operations that a sample was drawn from. */
  readonly all: number;
}
