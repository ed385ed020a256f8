import type { Clock } from "./clock.js";

/** The longest time that `setTimeout` takes; it treats a longer one as no time at all. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback, background = false) {
    let cancel: () => void;
    const wait = (left: number): void => {
      const step = Math.min(left, LONGEST_TIMEOUT);
      const timer = setTimeout(() => (step < left ? wait(left - step) : callback()), step);
      if (background) timer.unref?.();
      cancel = () => clearTimeout(timer);
    };
    wait(ms);
    return () => cancel();
  },
};
