import { systemClock } from "./system-clock.js";

/** Waits with a timer. Node ends a process in which nothing but promises is waited for. */
export async function keepProcessAlive<Result>(pending: Promise<Result>): Promise<Result> {
  const stop = systemClock.after(Number.POSITIVE_INFINITY, () => undefined);
  try {
    return await pending;
  } finally {
    stop();
  }
}
