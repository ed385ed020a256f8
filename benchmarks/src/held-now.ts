/** What this process holds in memory after a collection, in bytes. Twice: what the first makes unreachable the second one takes. */
export function heldNow(): number {
  if (globalThis.gc === undefined) throw new Error("start this with --expose-gc");
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
