import { afterAll, expect } from "vitest";
import type { Enumeration } from "./enumeration.js";
import { table } from "./table.js";

/** Thousands of recoveries take seconds, on a loaded machine many times that. */
export const TIMEOUT_MS = 600_000;

/** Fails on any violation, and prints at the end how much was tried. */
export function judging(title: string): (name: string, enumeration: Enumeration) => void {
  const rows: [string, number, number, number][] = [];
  const sum = (column: 1 | 2 | 3): number => rows.reduce((total, row) => total + row[column], 0);
  afterAll(() => {
    const total = ["total", sum(1), sum(2), sum(3)];
    console.log(table([[title, "states", "disks", "violations"], ...rows, total]));
  });
  return (name, { states, disks, violations, kinds }) => {
    rows.push([name, states, disks, violations]);
    expect([...kinds.values()]).toEqual([]);
  };
}
