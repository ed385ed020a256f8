import { afterAll, expect } from "vitest";
import type { Enumeration } from "./enumeration.js";
import { table } from "./table.js";

/** Thousands of recoveries take seconds, and a machine with other work takes many times that. */
export const PATIENCE_MS = 600_000;

/** Fails on any violation, and prints what was looked at when all is done. */
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
