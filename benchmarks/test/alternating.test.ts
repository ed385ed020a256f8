import { expect, test } from "vitest";
import { alternating, costOf } from "../src/alternating.js";

test("each run gives a ratio of its own costs, without the warm-up", async () => {
  let calls = 0;
  const slowAtFirst = async (): Promise<number> => (++calls <= 8 ? 1000 : 6);
  expect(await alternating(3, slowAtFirst, async () => 3)).toEqual([2, 2, 2]);
});

test("both operations are measured alternately, and neither is always the first", async () => {
  const order: string[] = [];
  const noted = (name: string) => async (): Promise<number> => order.push(name);
  await alternating(1, noted("a"), noted("b"));
  expect(order.join("").slice(-8)).toBe("abbaabba");
});

test("a cost is that of one operation, and the time of `undo` is not counted", async () => {
  const order: string[] = [];
  let undoing = 0;
  const work = async (): Promise<void> => void busy(20, order.push("work"));
  const undo = async (): Promise<void> => {
    undoing += busy(50, order.push("undo"));
  };
  const start = performance.now();
  const ms = await costOf(2, work, undo)();
  const all = performance.now() - start;
  expect(order).toEqual(["work", "undo", "work", "undo"]);
  expect(ms).toBeGreaterThanOrEqual(20);
  expect(2 * ms).toBeLessThanOrEqual(all - undoing);
});

/** Works for so long, and returns how long it was. */
function busy(ms: number, _noted: number): number {
  const start = performance.now();
  while (performance.now() - start < ms);
  return performance.now() - start;
}
