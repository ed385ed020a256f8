import type { Runs } from "@sessions/protocol/backend";

/**
 * Messages are numbered by log and place: `log × 2^26 + place`. So one INTEGER PRIMARY KEY keeps a log's messages side by
 * side, and a run of messages is two numbers. There is room for 134 million logs of 67 million messages.
 */
const SPAN = 2 ** 26;

/** The last log whose numbers are safe integers. */
export const LAST_LOG: number = 2 ** 27 - 1;

export function firstRow(log: number): number {
  return log * SPAN;
}

export function logOf(row: number): number {
  return Math.floor(row / SPAN);
}

/** Whether a log has no place left before `row`. The last one stays free, so that runs of two logs never touch. */
export function isBeyond(log: number, row: number): boolean {
  return row >= firstRow(log + 1) - 1;
}

/** The logs that some rows are in. */
export function logsIn({ list }: Runs): ReadonlySet<number> {
  return new Set(list.map(({ from }) => logOf(from)));
}
