import type { Clock } from "@sessions/protocol";

/** When everything happens: what two runs wrote can be compared only if they wrote the same times. */
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
