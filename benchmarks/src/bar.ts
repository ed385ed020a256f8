/** What a figure is held to. On the bar is met. */
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

/** Whether a figure is on the bar or on its good side. What is not a number is not. */
export function meets({ side, value }: Bar, figure: number): boolean {
  return side === "at most" ? figure <= value : figure >= value;
}

/** How far a figure goes: 1 is on the bar, less is better, more is missed. */
export function shareOfBar({ side, value }: Bar, figure: number): number {
  return side === "at most" ? figure / value : value / figure;
}
