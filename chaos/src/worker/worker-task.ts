import type { BusyMode } from "../turns/update.js";

/** Who uses the store: the run's own calls, bots, or agents. */
export type TargetName = "store" | "bots" | "agents";

/** What a worker is started with, as its one argument. */
export interface WorkerTask {
  /** Which worker it is, from 1, and which of its lives. */
  readonly slot: number;
  readonly life: number;
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
  /** How long a turn is held without a renewal. */
  readonly turnTtlMs: number;
  /** The busy modes of bots. */
  readonly modes: readonly BusyMode[];
  /** Whether users of bots are linked. */
  readonly links: boolean;
}

/** What the run tells a worker. */
export type Order = { readonly order: "step-clock"; readonly ms: number } | { readonly order: "finish" };

/** What a worker tells the run: how many calls it has made. */
export interface Progress {
  readonly calls: number;
}

/** The name under which a worker's calls stand in the log. */
export function processName({ slot, life }: Pick<WorkerTask, "slot" | "life">): string {
  return `w${slot}-${life}`;
}
