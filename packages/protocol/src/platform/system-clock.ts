import type { Clock } from "./clock.js";

/** The longest delay of `setTimeout`. It treats a longer one as 1 ms. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback, background = false) {
    let cancel: () => void;
    const wait = (leftMs: number): void => {
      const delayMs = Math.min(leftMs, MAX_TIMEOUT_MS);
      const timer = setTimeout(() => (delayMs < leftMs ? wait(leftMs - delayMs) : callback()), delayMs);
      if (background) timer.unref?.();
      cancel = () => clearTimeout(timer);
    };
    wait(ms);
    return () => cancel();
  },
};
