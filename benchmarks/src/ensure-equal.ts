/** Throws if the work of a measurement was not done, because then its figure is wrong. */
export function ensureEqual(what: string, actual: unknown, expected: string | number | boolean): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)}, not ${expected}`);
}
