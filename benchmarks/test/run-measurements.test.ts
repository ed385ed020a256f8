import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { atMost } from "../src/bar.js";
import type { Bench, Measurement } from "../src/measurement.js";
import { Progress } from "../src/progress.js";
import type { Measured } from "../src/row.js";
import { runMeasurements } from "../src/run-measurements.js";
import { WorkFolder } from "../src/work-folder.js";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "bench-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

function measurement(measure: (bench: Bench) => Promise<Measured>): Measurement {
  return { work: "w", unit: "×", bar: atMost(1), measure };
}

test("a measurement that fails is a missed row, and the others run", async () => {
  using work = new WorkFolder(parent);
  const fails = measurement(() => Promise.reject(new Error("the disk is gone")));
  const works = measurement(async () => ({ values: [1] }));
  const rows = await runMeasurements([fails, works], 1, work, new Progress(process.stderr));
  expect(rows).toMatchObject([{ met: false, problem: "Error: the disk is gone" }, { met: true }]);
});

test("each measurement has an empty folder, which is removed afterwards", async () => {
  using work = new WorkFolder(parent);
  const seen: string[] = [];
  const litters = measurement(async ({ folder }) => {
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, "litter"), "");
    seen.push(folder);
    throw new Error("never mind");
  });
  await runMeasurements([litters, litters], 1, work, new Progress(process.stderr));
  expect(new Set(seen).size).toBe(2);
  expect(seen.filter((folder) => existsSync(folder))).toEqual([]);
});

test("a run leaves no files behind", () => {
  {
    using work = new WorkFolder(parent);
    writeFileSync(join(work.path, "litter"), "");
  }
  expect(readdirSync(parent)).toEqual([]);
});
