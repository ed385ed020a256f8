import { setTimeout as delay, setImmediate as nextTask } from "node:timers/promises";
import { busy, isBusy } from "../error-mapping.js";

/** How long to wait for another writer at most before asking again. */
const LONGEST_PAUSE_MS = 20;

/** Tries until the database is not busy, or until the deadline (STORE_BUSY). The event loop goes on meanwhile. */
export async function patiently<Result>(
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

/** Short at first: a transaction takes less than a millisecond. Never the same for two, so that nobody is always late. */
async function pause(tries: number): Promise<void> {
  if (tries < 2) await nextTask();
  else await delay(Math.random() * Math.min(LONGEST_PAUSE_MS, tries));
}
