import { type Clock, systemClock } from "@sessions/protocol";

const FASTER = 1000;

/** An agent's time, a thousand times as fast: its patience ends soon, while leases last as long as ever. */
export const hurriedClock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => FASTER * systemClock.monotonic(),
  after: (ms, callback, background) => systemClock.after(ms / FASTER, callback, background),
};
