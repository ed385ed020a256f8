import { systemClock } from "./system-clock.js";

/** Awaits a promise with a timer running. Node ends a process that waits for nothing but promises. */
export async function keepProcessAlive<Result>(pending: Promise<Result>): Promise<Result> {
  const stop = systemClock.after(Number.POSITIVE_INFINITY, () => undefined);
  try {
    return await pending;
  } finally {
    stop();
  }
}
