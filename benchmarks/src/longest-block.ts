import { setImmediate as nextTask } from "node:timers/promises";

/**
 * The longest time, in ms, for which nothing else could run while `work` did.
 *
 * A heart that beats in every turn of the event loop: the longest pause between two beats is the longest turn.
 * `monitorEventLoopDelay` looks only when its timer is due, at best once a millisecond, and adds that to every delay.
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
    await nextTask(); // the beat after the last stretch of work
  } finally {
    beating = false;
  }
  return longest;
}
