import { type Bar, meets } from "./bar.js";

/** A ratio (`×`), milliseconds or bytes. */
export type Unit = "×" | "ms" | "B";

/** The figures of a measurement. */
export interface Measured {
  /** One for each repetition. */
  readonly values: readonly number[];
  /** A remark. */
  readonly note?: string;
  /** The error, if there was one. Such a figure meets no bar. */
  readonly problem?: string;
}

/** A figure with its bar, if it has one. */
export interface Row {
  readonly work: string;
  readonly unit: Unit;
  readonly median: number;
  /** Smallest and largest of all repetitions. */
  readonly spread: readonly [number, number];
  readonly bar: Bar | undefined;
  /** Whether the figure meets its bar. Without a bar: whether there was no error. */
  readonly met: boolean;
  readonly note?: string;
  readonly problem?: string;
}

/** The row of a measurement, with the median of its figures. */
export function rowOf(
  { work, unit, bar }: Pick<Row, "work" | "unit" | "bar">,
  { values, ...told }: Measured,
): Row {
  const sorted = values.toSorted((a, b) => a - b);
  const spread = [sorted[0] ?? Number.NaN, sorted.at(-1) ?? Number.NaN] as const;
  const median = medianOf(sorted);
  const isOnBar = bar === undefined ? Number.isFinite(median) : meets(bar, median);
  return { work, unit, median, spread, bar, met: told.problem === undefined && isOnBar, ...told };
}

function medianOf(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
