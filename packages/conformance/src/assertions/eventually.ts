import { setTimeout as delay } from "node:timers/promises";

const DEADLINE_MS = 12_000;
const STEP_MS = 5;

/** Waits for something to become true: runs `check` until it no longer throws, and returns what it returned. */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  deadlineMs: number = DEADLINE_MS,
): Promise<Result> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await delay(STEP_MS);
  }
}
