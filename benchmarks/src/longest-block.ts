import { setImmediate as nextTask } from "node:timers/promises";

/**
 * The longest time in ms for which `work` has blocked the event loop.
 *
 * It measures the time between two iterations of the event loop. `monitorEventLoopDelay` samples at best once a millisecond, and
 * adds that to every delay.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let beating = true;
  let last = performance.now();
  const beat = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (beating) setImmediate(beat);
  };
  setImmediate(beat);
  try {
    await work();
    await nextTask(); // the iteration after the last part of the work
  } finally {
    beating = false;
  }
  return longest;
}
