const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** An age for tables: `3 d ago`. */
export function ageOf(time: number, now: number): string {
  const [name, ms] = UNITS.find(([, unit]) => now - time >= unit) ?? ["s", 1000];
  return now - time < 1000 ? "now" : `${Math.floor((now - time) / ms)} ${name} ago`;
}

/** A time in UTC: `2026-03-01 12:30:05`. */
export function stamp(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  return date.toISOString().slice(0, 19).replace("T", " ");
}
