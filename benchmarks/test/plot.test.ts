import { expect, test } from "vitest";
import { atLeast, atMost, type Bar } from "../src/bar.js";
import { plot } from "../src/report/plot.js";
import { type Row, rowOf } from "../src/row.js";
import { flawOf } from "./well-formed.js";

function row(bar: Bar, value: number, work = "w"): Row {
  return rowOf({ work, unit: "×", bar }, { values: [value] });
}

/** Class and width of each row's own rectangle, and where the bar's line is, from the lane's left edge. */
function drawn(rows: readonly Row[]): { lanes: readonly (readonly [string, number])[]; line: number } {
  const svg = plot(rows);
  const lanes = [...svg.matchAll(/class="(met|missed)" x="20" y="\d+" width="([\d.]+)"/g)];
  return {
    lanes: lanes.map(([, kind = "", width]) => [kind, Number(width)] as const),
    line: Number(/class="bar" x1="(\d+)"/.exec(svg)?.[1]) - 20,
  };
}

test("the plot is well-formed, whatever a row is called", () => {
  expect(flawOf(plot([row(atMost(1), 1, `a < b & "c" > d`)]))).toBeUndefined();
  expect(flawOf(plot([]))).toBeUndefined();
});

test("the check for well-formed XML fails for broken XML", () => {
  for (const broken of [
    "<a>",
    "<a><b></a></b>",
    "<a>&</a>",
    "<a b=c/>",
    "<a>1 < 2</a>",
    "</a>",
    '<a b="&"/>',
  ]) {
    expect(flawOf(broken), broken).toBeDefined();
  }
});

test("a figure on its bar reaches the line, a better one stays left of it, a missed one goes beyond", () => {
  const { lanes, line } = drawn([
    row(atMost(2), 2),
    row(atLeast(2), 2),
    row(atMost(2), 1),
    row(atLeast(2), 1.5),
  ]);
  expect(lanes.slice(0, 2)).toEqual([
    ["met", line],
    ["met", line],
  ]);
  expect(lanes[2]).toEqual(["met", line / 2]);
  expect(lanes[3]?.[0]).toBe("missed");
  expect(lanes[3]?.[1]).toBeGreaterThan(line);
});

test("a figure far beyond its bar, or none at all, goes to the edge and no further", () => {
  const nothing = rowOf({ work: "w", unit: "×", bar: atMost(1) }, { values: [] });
  const { lanes, line } = drawn([row(atMost(1), 1000), row(atLeast(1), 0), nothing]);
  for (const lane of lanes) expect(lane).toEqual(["missed", 2 * line]);
});
