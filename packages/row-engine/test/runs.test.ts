import { expect, test } from "vitest";
import { RunBuilder, Runs, runAt, runsToMerge } from "../src/index.js";

test("a history that goes on where the rows end has a last run without an end", () => {
  const runs = Runs.fromJson([[0, 3], [7]], 9);
  expect(runs.rows()).toEqual([0, 1, 2, 7, 8]);
  expect(runs.toOpenJson(9)).toEqual([[0, 3], [7]]);
  // Two rows later, with the same list.
  expect(Runs.fromJson(runs.toOpenJson(9), 11).rows()).toEqual([0, 1, 2, 7, 8, 9, 10]);
});

test("a history that ends before the rows do takes only those to come", () => {
  const cut = Runs.fromJson([[0]], 10).slice(0, 4);
  expect(cut.toOpenJson(10)).toEqual([[0, 4], [10]]);
  expect(Runs.fromJson(cut.toOpenJson(10), 12).rows()).toEqual([0, 1, 2, 3, 10, 11]);
});

test("a run with a revision of its own does not swallow what is appended", () => {
  const staged = new Runs([{ from: 0, to: 5, revision: 3 }]);
  expect(staged.toOpenJson(5)).toEqual([[0, 5, 3], [5]]);
});

test("crumbs are merged, a few runs are left alone", () => {
  const crumbs = Array.from({ length: 65 }, (_, n) => ({ from: 10 * n, to: 10 * n + 1 }));
  expect(runsToMerge(crumbs.slice(1))).toBeUndefined();
  expect(runsToMerge(crumbs)).toEqual({ from: 0, to: 32 });
});

test("rows that come one by one become runs", () => {
  const builder = new RunBuilder();
  for (const row of [3, 4, 5, 9]) builder.add(row, undefined);
  builder.add(10, 7);
  expect(builder.finish()).toEqual([
    { from: 3, to: 6 },
    { from: 9, to: 10 },
    { from: 10, to: 11, revision: 7 },
  ]);
});

test("a message keeps its revision, whatever its row says", () => {
  const runs = Runs.fromJson([[0, 3]]);
  const row = { row: 7, revision: 4 };
  expect(runs.replace(1, runAt(row, 4)).toJson()).toEqual([
    [0, 1],
    [7, 8],
    [2, 3],
  ]);
  expect(runs.replace(1, runAt(row, 5)).toJson()).toEqual([
    [0, 1],
    [7, 8, 5],
    [2, 3],
  ]);
});
