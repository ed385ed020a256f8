import type { Runs } from "@sessions/row-engine";

/**
 * A row's number is `log × 2^26 + position`, so that the messages of a log are side by side in the table and a run of them
 * is two numbers. There is room for 134 million logs of 67 million messages.
 */
const ROWS_PER_LOG = 2 ** 26;

/** The last log whose row numbers are safe integers. */
export const MAX_LOG: number = 2 ** 27 - 1;

export function firstRowOf(log: number): number {
  return log * ROWS_PER_LOG;
}

export function logOf(row: number): number {
  return Math.floor(row / ROWS_PER_LOG);
}

/** Whether a row is behind the last one of a log. The very last stays free, so that runs of two logs never touch. */
export function isBehindLog(log: number, row: number): boolean {
  return row >= firstRowOf(log + 1) - 1;
}

/** The logs that some rows are in. */
export function logsOf(histories: readonly Runs[]): ReadonlySet<number> {
  const logs = new Set<number>();
  for (const { list } of histories) for (const { from } of list) logs.add(logOf(from));
  return logs;
}
