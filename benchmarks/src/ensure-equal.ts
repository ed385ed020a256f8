/** A figure is worth nothing if the work was not done. */
export function ensureEqual(what: string, actual: unknown, expected: string | number | boolean): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)}, not ${expected}`);
}
