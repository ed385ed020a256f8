import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { allMeasurements } from "../src/all-measurements.js";
import { inOwnProcess } from "../src/in-own-process.js";

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a measurement runs in another process, and its figures are returned", async () => {
  const row = allMeasurements.find(({ work }) => work.includes("json-file: longest block of the event loop"));
  if (row === undefined) throw new Error("there is no such row");
  const here = { ...row, measure: () => Promise.reject(new Error("measured here")) };
  const { values, problem } = await inOwnProcess(here).measure({ runs: 2, folder: emptyFolder() });
  expect(problem).toBeUndefined();
  expect(values).toHaveLength(2);
});

test("a measurement process that ends without a result is an error", async () => {
  const nobody = { work: "no such row", unit: "×", bar: undefined, measure: () => Promise.reject() } as const;
  await expect(inOwnProcess(nobody).measure({ runs: 1, folder: emptyFolder() })).rejects.toThrow(
    /before it was done/,
  );
});
