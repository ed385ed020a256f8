/** How long this process keeps its event loop busy. */
import { readFileSync } from "node:fs";

const EVERY_MS = 5;

/** Resolves when the event loop has gone around so many times. */
export async function turns(count) {
  for (let times = 0; times < count; times++) await new Promise((resolve) => setTimeout(resolve, 1));
}

/**
 * The longest that the main thread has computed between two turns of its event loop. Not the time on the clock: on a loaded
 * machine the kernel gives most of that to others.
 */
export function ownBlocks() {
  let longest = 0;
  let last = computedMs();
  const look = () => {
    const now = computedMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return longest;
    },
  };
}

/** The first field: how long the main thread has run, in nanoseconds. */
function computedMs() {
  const [ran] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
  return Number(ran) / 1e6;
}
