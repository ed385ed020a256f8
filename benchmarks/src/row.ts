/** One measured ratio and the bar it is held to. */
export interface Row {
  readonly work: string;
  readonly ratio: number;
  /** Smallest and largest ratio of all repetitions. */
  readonly spread: readonly [number, number];
  readonly bar: string;
  readonly met: boolean;
}

/** A ratio that must not be above `most`. */
export function atMost(work: string, ratios: readonly number[], most: number): Row {
  const sorted = ratios.toSorted((a, b) => a - b);
  const ratio = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const spread = [sorted[0] ?? Number.NaN, sorted.at(-1) ?? Number.NaN] as const;
  return { work, ratio, spread, bar: `≤ ${most}`, met: ratio <= most };
}

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ work, ratio, spread: [low, high], bar, met }) => {
    return `| ${work} | ${ratio.toFixed(2)} | ${low.toFixed(2)}–${high.toFixed(2)} | ${bar} | ${met ? "met" : "MISSED"} |`;
  });
  return ["| work | ratio (median) | spread | bar | |", "|---|---|---|---|---|", ...lines].join("\n");
}
