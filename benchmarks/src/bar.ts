/** The limit for a figure. A figure on the limit meets it. */
export interface Bar {
  readonly side: "at most" | "at least";
  readonly value: number;
}

export function atMost(value: number): Bar {
  return { side: "at most", value };
}

export function atLeast(value: number): Bar {
  return { side: "at least", value };
}

/** Whether a figure meets its bar. NaN does not. */
export function meets({ side, value }: Bar, figure: number): boolean {
  return side === "at most" ? figure <= value : figure >= value;
}

/** A figure relative to its bar: 1 is on the bar, less is better, more is missed. */
export function shareOfBar({ side, value }: Bar, figure: number): number {
  return side === "at most" ? figure / value : value / figure;
}
