import { expect, test } from "vitest";
import { readOptions } from "../src/options.js";
import { UsageError } from "../src/usage-error.js";

test("without arguments everything is measured, on the repository's own disk", () => {
  const { folder, ...others } = readOptions([]);
  expect(others).toEqual({ runs: 9, only: "", json: false, write: false, help: false });
  expect(folder).toMatch(/benchmarks[/\\]\.data[/\\]$/);
});

test("a number of runs that is none is refused", () => {
  for (const runs of ["0", "-1", "1.5", "many", ""]) {
    expect(() => readOptions([`--runs=${runs}`]), runs).toThrow("--runs");
  }
});

test("a part of the rows is not written as if it were all", () => {
  expect(() => readOptions(["--write", "--only", "memory"])).toThrow("--only");
});

test("an option that there is not is refused as a mistake of the user", () => {
  expect(() => readOptions(["--fast"])).toThrow(UsageError);
});
