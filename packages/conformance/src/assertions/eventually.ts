import { setTimeout as delay } from "node:timers/promises";

/** A loaded machine may stop a process for seconds. */
const DEADLINE_MS = 30_000;
const POLL_MS = 5;

/** Runs `check` until it no longer throws, and returns its result. */
export async function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await delay(POLL_MS);
  }
}
