const STEPS: readonly (readonly [number, string])[] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
];

/** An age as text. */
export function ageOf(at: number, now: number): string {
  const passed = now - at;
  const [ms, unit] = STEPS.find(([size]) => passed >= size) ?? [0, ""];
  if (ms === 0) return "just now";
  const count = Math.floor(passed / ms);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
