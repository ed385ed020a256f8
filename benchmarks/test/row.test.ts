import { expect, test } from "vitest";
import { atLeast, atMost, shareOfBar } from "../src/bar.js";
import { rowOf } from "../src/row.js";

const work = { work: "w", unit: "×" } as const;

test("a figure on the bar is met, one beyond it is missed", () => {
  expect(rowOf({ ...work, bar: atMost(2) }, { values: [2] }).met).toBe(true);
  expect(rowOf({ ...work, bar: atMost(2) }, { values: [2.001] }).met).toBe(false);
  expect(rowOf({ ...work, bar: atLeast(2) }, { values: [2] }).met).toBe(true);
  expect(rowOf({ ...work, bar: atLeast(2) }, { values: [1.999] }).met).toBe(false);
});

test("a row has the median and the spread", () => {
  const row = rowOf({ ...work, bar: atMost(3) }, { values: [9, 1, 2] });
  expect(row).toMatchObject({ median: 2, spread: [1, 9], met: true });
  expect(rowOf({ ...work, bar: atMost(3) }, { values: [4, 1, 3, 100] }).median).toBe(3.5);
});

test("a figure with an error meets no bar", () => {
  expect(rowOf({ ...work, bar: atMost(3) }, { values: [1], problem: "a writer failed" }).met).toBe(false);
});

test("a row without a figure misses its bar", () => {
  expect(rowOf({ ...work, bar: atMost(3) }, { values: [] }).met).toBe(false);
  expect(rowOf({ ...work, bar: atLeast(3) }, { values: [] }).met).toBe(false);
});

test("a figure at more than 100 % of its bar misses it, for minimums and maximums", () => {
  expect([shareOfBar(atMost(2), 1), shareOfBar(atMost(2), 3)]).toEqual([0.5, 1.5]);
  expect([shareOfBar(atLeast(2), 4), shareOfBar(atLeast(2), 1)]).toEqual([0.5, 2]);
});
