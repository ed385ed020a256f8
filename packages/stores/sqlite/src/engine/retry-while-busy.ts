import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { busy, isBusy } from "../error-mapping.js";

const MAX_PAUSE_MS = 20;

/** Tries until the database is not busy, or until the deadline (STORE_BUSY). The first attempt is made at once. */
export async function retryWhileBusy<Result>(
  attempt: () => Result,
  { path, deadlineMs }: { readonly path: string; readonly deadlineMs: number },
): Promise<Result> {
  const startedAt = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waitedMs = performance.now() - startedAt;
      if (waitedMs >= deadlineMs) throw busy(path, waitedMs);
    }
    await pause(tries);
  }
}

/** Short at first: a transaction takes less than a millisecond. Random, so that no writer is always late. */
async function pause(tries: number): Promise<void> {
  if (tries < 2) await nextTurn();
  else await delay(Math.random() * Math.min(MAX_PAUSE_MS, tries));
}
