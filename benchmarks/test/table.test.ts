import { expect, test } from "vitest";
import { atLeast, atMost } from "../src/bar.js";
import { table } from "../src/report/table.js";
import { rowOf } from "../src/row.js";

test("a row shows median, spread, bar and verdict in its unit", () => {
  const rows = [
    rowOf({ work: "fast", unit: "×", bar: atLeast(0.7) }, { values: [0.8, 0.9, 1] }),
    rowOf({ work: "slow", unit: "ms", bar: atMost(50) }, { values: [118.4], note: "cold" }),
  ];
  expect(table(rows).split("\n").slice(2)).toEqual([
    "| fast | 0.90× | 0.80–1.00 | ≥ 0.7× | met |",
    "| slow | 118 ms | 118–118 | ≤ 50 ms | MISSED · cold |",
  ]);
});

test("an error is shown, and its text cannot break the table", () => {
  const problem = "Error: a | b\nand more";
  const [, , line] = table([rowOf({ work: "w", unit: "×", bar: atMost(1) }, { values: [], problem })]).split(
    "\n",
  );
  expect(line).toBe("| w | – | – | ≤ 1× | MISSED · Error: a \\| b and more |");
});

test("a row without a bar has no verdict, unless it failed", () => {
  const told = { work: "w", unit: "×", bar: undefined } as const;
  const [, , fine, failed] = table([rowOf(told, { values: [2] }), rowOf(told, { values: [] })]).split("\n");
  expect(fine).toBe("| w | 2.00× | 2.00–2.00 | – |  |");
  expect(failed).toBe("| w | – | – | – | MISSED |");
});
