import { setTimeout as delay } from "node:timers/promises";

/** A loaded machine may stand still for seconds. */
const DEADLINE_MS = 30_000;
const STEP_MS = 5;

/** Waits for something to become true: runs `check` until it no longer throws, and returns what it returned. */
export async function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await delay(STEP_MS);
  }
}
