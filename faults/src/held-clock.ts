import type { Clock } from "@sessions/protocol";

/** One time for every write: two runs can be compared only if they write the same times. */
const NOW = Date.UTC(2026, 0, 1);

/** A wall clock that stands still. Timers run. */
export const heldClock: Clock = {
  now: () => NOW,
  monotonic: () => performance.now(),
  after(ms, callback, background = false) {
    const timer = setTimeout(callback, ms);
    if (background) timer.unref();
    return () => clearTimeout(timer);
  },
};
