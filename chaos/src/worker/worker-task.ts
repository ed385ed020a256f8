import type { BusyMode } from "../turns/update.js";

/** What uses the store: plain calls, bots, or agents. */
export type TargetName = "store" | "bots" | "agents";

/** The only argument of a worker process, as JSON. */
export interface WorkerTask {
  /** The number of the worker, from 1. A restarted worker keeps its slot. */
  readonly slot: number;
  /** How often a worker of this slot was started, from 1. */
  readonly generation: number;
  readonly target: TargetName;
  readonly seed: number;
  /** The module of the store. */
  readonly store: string;
  /** The store's folder. */
  readonly data: string;
  /** The folder of the logs. */
  readonly logs: string;
  /** When the run began, by the clock that all processes share. */
  readonly startedAt: number;
  /** The lease of a turn. */
  readonly turnTtlMs: number;
  /** The busy modes of bots. */
  readonly modes: readonly BusyMode[];
  /** Whether users of bots are linked. */
  readonly links: boolean;
}

/** An order of the run to a worker. */
export type Order = { readonly order: "step-clock"; readonly ms: number } | { readonly order: "finish" };

/** A report of a worker to the run: the number of calls that it has made. */
export interface Progress {
  readonly calls: number;
}

/** The name of a worker in the log. */
export function processName({ slot, generation }: Pick<WorkerTask, "slot" | "generation">): string {
  return `w${slot}-${generation}`;
}
