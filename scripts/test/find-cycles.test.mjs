import { expect, test } from "vitest";
import { findCycles } from "../checks/find-cycles.mjs";

const graph = (edges) => new Map(Object.entries(edges));

test("an acyclic graph has no cycle", () => {
  expect(findCycles(graph({ a: ["b", "c"], b: ["c"], c: [] }))).toEqual([]);
});

test("a cycle is reported once, by its shortest path", () => {
  expect(findCycles(graph({ a: ["b"], b: ["c", "a"], c: ["a"], d: ["a"] }))).toEqual([["a", "b", "a"]]);
});

test("a node that names itself is a cycle", () => {
  expect(findCycles(graph({ a: ["a"] }))).toEqual([["a", "a"]]);
});

test("two separate cycles are reported as two", () => {
  expect(findCycles(graph({ a: ["b"], b: ["a", "c"], c: ["d"], d: ["c"] }))).toHaveLength(2);
});
