/** The memory of this process after garbage collection, in bytes. Collects twice, because the first makes more objects unreachable. */
export function heldNow(): number {
  if (globalThis.gc === undefined) throw new Error("start this with --expose-gc");
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
