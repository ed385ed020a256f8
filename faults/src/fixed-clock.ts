import type { Clock } from "@sessions/protocol";

/** The same time for every write, so that the contents of two runs can be compared. */
const NOW = Date.UTC(2026, 0, 1);

/** A clock whose wall time never changes. Its timers run. */
export const fixedClock: Clock = {
  now: () => NOW,
  monotonic: () => performance.now(),
  after(ms, callback, background = false) {
    const timer = setTimeout(callback, ms);
    if (background) timer.unref();
    return () => clearTimeout(timer);
  },
};
