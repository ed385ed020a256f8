import { setImmediate as nextTask } from "node:timers/promises";
import { expect, test } from "vitest";
import { longestBlock } from "../src/longest-block.js";

function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("synchronous work is one block", async () => {
  expect(await longestBlock(async () => busy(40))).toBeGreaterThanOrEqual(40);
});

test("awaiting settled promises does not end a block", async () => {
  const longest = await longestBlock(async () => {
    for (let part = 0; part < 4; part++) {
      busy(20);
      await Promise.resolve();
    }
  });
  expect(longest).toBeGreaterThanOrEqual(80);
});

test("a block at the end of the work is measured", async () => {
  const longest = await longestBlock(async () => {
    await nextTask();
    busy(40);
  });
  expect(longest).toBeGreaterThanOrEqual(40);
});

test("work that yields to the event loop is many blocks", async () => {
  let all = 0;
  const longest = await longestBlock(async () => {
    const start = performance.now();
    for (let part = 0; part < 40; part++) {
      busy(10);
      await nextTask();
    }
    all = performance.now() - start;
  });
  expect(longest).toBeGreaterThanOrEqual(10);
  expect(longest).toBeLessThan(all / 2);
});
