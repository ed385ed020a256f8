import type fc from "fast-check";
import type { Clock } from "../../src/platform/clock.js";
import type { CallHooks } from "./map-backend.js";

/** Makes every call wait for the scheduler, before and after its effect. */
export function scheduledHooks(
  scheduler: fc.Scheduler,
  fails: (what: string, when: "before" | "after") => boolean = () => false,
): CallHooks {
  const wait =
    (when: "before" | "after") =>
    async (what: string): Promise<void> => {
      await scheduler.schedule(Promise.resolve(), `${when} ${what}`);
      if (fails(what, when)) throw new Error(`the connection broke ${when} the ${what}`);
    };
  return { before: wait("before"), after: wait("after") };
}

/** A clock whose timers fire when the scheduler lets them. */
export function scheduledClock(scheduler: fc.Scheduler): Clock {
  let ticks = 0;
  return {
    now: () => 1_750_000_000_000 + ++ticks,
    monotonic: () => ++ticks / 1000,
    after(_ms, callback) {
      let cancelled = false;
      scheduler.schedule(Promise.resolve(), "timer").then(() => {
        if (!cancelled) callback();
      });
      return () => {
        cancelled = true;
      };
    },
  };
}

/** Runs everything in the scheduler's order until all of these have settled. */
export async function settleAll<Result>(
  scheduler: fc.Scheduler,
  calls: readonly Promise<Result>[],
): Promise<readonly PromiseSettledResult<Result>[]> {
  return scheduler.waitFor(Promise.allSettled(calls));
}
