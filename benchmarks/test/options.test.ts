import { expect, test } from "vitest";
import { readOptions } from "../src/options.js";
import { UsageError } from "../src/usage-error.js";

test("without arguments everything is measured, on the repository's own disk", () => {
  const { folder, ...others } = readOptions([]);
  expect(others).toEqual({ runs: 9, only: "", json: false, write: false, help: false });
  expect(folder).toMatch(/benchmarks[/\\]\.data[/\\]$/);
});

test("a wrong number of runs is refused", () => {
  for (const runs of ["0", "-1", "1.5", "many", ""]) {
    expect(() => readOptions([`--runs=${runs}`]), runs).toThrow("--runs");
  }
});

test("a run of some rows does not write the page", () => {
  expect(() => readOptions(["--write", "--only", "memory"])).toThrow("--only");
});

test("an unknown option is refused as an error of the user", () => {
  expect(() => readOptions(["--fast"])).toThrow(UsageError);
});
