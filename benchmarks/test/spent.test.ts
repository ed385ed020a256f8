import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { costOf } from "../src/alternating.js";
import { cpuMs, elapsedMs } from "../src/spent.js";

test("CPU time counts what this process computes, and not what it waits for", async () => {
  const waiting = () => setTimeout(150);
  const busy = async () => {
    for (const end = performance.now() + 150; performance.now() < end; );
  };
  const waited = await costOf(1, waiting, undefined, cpuMs)();
  expect(await costOf(1, waiting, undefined, elapsedMs)()).toBeGreaterThan(140);
  // Another process may have the processor for a part of the time.
  expect(await costOf(1, busy, undefined, cpuMs)()).toBeGreaterThan(2 * waited);
});
