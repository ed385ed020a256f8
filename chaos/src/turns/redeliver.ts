import { setTimeout } from "node:timers/promises";
import { grouped } from "../log/grouped.js";
import type { Deliverer } from "./deliverer.js";
import { isExpectedTurnError } from "./expected-turn-errors.js";
import type { Update } from "./update.js";

const PAUSE_MS = 50;
/** Longer than any lease that a killed worker has left, and than any store needs. */
const DEADLINE_MS = 15_000;
const CONCURRENT_GROUPS = 6;

/** Delivers all updates, one after the other in each conversation. Repeats each until it is settled or its deadline has passed. */
export async function redeliver(
  deliverer: Deliverer,
  updates: readonly Update[],
  logUnexpected: (session: string, error: unknown) => void,
): Promise<void> {
  const groups = [...grouped(updates, ({ group }) => group).values()];
  const next = async (): Promise<void> => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift())
      for (const update of group)
        await settle(deliverer, update).catch((error: unknown) => logUnexpected(update.group, error));
  };
  await Promise.all(Array.from({ length: CONCURRENT_GROUPS }, next));
}

/** The recorder logs the last failure as well, so the judge finds an update that is never settled. */
async function settle(deliverer: Deliverer, update: Update): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      return await deliverer.deliver(update);
    } catch (error) {
      if (!isExpectedTurnError(error, []) || performance.now() > deadline) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}
