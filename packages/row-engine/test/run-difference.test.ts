import { expect, test } from "vitest";
import { runDifference } from "../src/index.js";

test("rows that nobody holds any more are what was held without what is held", () => {
  const held = [
    { from: 0, to: 10 },
    { from: 5, to: 12 },
  ];
  const kept = [
    { from: 2, to: 4 },
    { from: 8, to: 9 },
  ];
  expect(runDifference(held, kept)).toEqual([
    { from: 0, to: 2 },
    { from: 4, to: 8 },
    { from: 9, to: 12 },
  ]);
  expect(runDifference(held, held)).toEqual([]);
});
