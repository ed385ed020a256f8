import { expect, test } from "vitest";
import { Backoff, type BackoffOptions } from "../../src/platform/backoff.js";
import { ManualClock } from "../turns/manual-clock.js";

const OPTIONS: BackoffOptions = { firstPauseMs: 10, maxPauseMs: 35 };

/** When each of several pauses ended, and what it resolved with. */
async function pauses(options: BackoffOptions, count: number): Promise<(readonly [number, boolean])[]> {
  const clock = new ManualClock();
  const backoff = new Backoff(clock, options);
  const ended: (readonly [number, boolean])[] = [];
  const loop = async (): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const mayRetry = await backoff.pause();
      ended.push([clock.monotonic(), mayRetry]);
    }
  };
  const running = loop();
  await clock.pass(10_000);
  await running;
  return ended;
}

test("every pause of a retry loop is twice as long as the one before it, up to a limit", async () => {
  expect(await pauses(OPTIONS, 4)).toEqual([
    [10, true],
    [30, true],
    [65, true],
    [100, true],
  ]);
});

test("a retry loop waits the share of each pause that its random number says", async () => {
  const shares = [0.5, 0, 1].values();
  const random = (): number => shares.next().value ?? 0;
  expect(await pauses({ ...OPTIONS, random }, 3)).toEqual([
    [5, true],
    [5, true],
    [40, true],
  ]);
});

test("the last pause of a retry loop is cut short at the deadline, and none follows it", async () => {
  expect(await pauses({ ...OPTIONS, deadlineMs: 40 }, 4)).toEqual([
    [10, true],
    [30, true],
    [40, true],
    [40, false],
  ]);
});

test("a retry loop with a limit of retries does not pause for more of them", async () => {
  expect(await pauses({ ...OPTIONS, maxRetries: 1 }, 2)).toEqual([
    [10, true],
    [10, false],
  ]);
});

test("an abort ends the pause of a retry loop with the reason of its signal", async () => {
  const abort = new AbortController();
  const backoff = new Backoff(new ManualClock(), { ...OPTIONS, signal: abort.signal });
  const pausing = backoff.pause();
  const reason = new Error("no longer wanted");
  abort.abort(reason);
  await expect(pausing).rejects.toBe(reason);
});
