import { expect, test } from "vitest";
import { checks } from "../checks/checks.mjs";
import { checkTable } from "../checks/report-checks.mjs";
import { withUnrunChecks } from "../checks/with-unrun-checks.mjs";

const passed = [...checks.values()].map((task) => ({ task, ok: true, cached: true, milliseconds: 1 }));
const rowOf = (outcomes, name) => checkTable(outcomes).find((line) => line.trim().startsWith(name));

test("checks that ran are left as they are", () => {
  expect(withUnrunChecks(passed)).toEqual(passed);
  expect(rowOf(passed, "types")).toMatch(/ok +cached$/);
});

test("a check that never ran is not ok", () => {
  const outcomes = withUnrunChecks(passed.filter(({ task }) => task !== "check:types"));
  expect(outcomes.filter(({ ok }) => !ok)).toMatchObject([{ task: "check:types", skipped: true }]);
  expect(rowOf(outcomes, "types")).toContain("not run");
});

test("one failure among packages fails the check", () => {
  const outcomes = [...passed, { task: "check:types", ok: false, skipped: false, milliseconds: 1 }];
  expect(rowOf(outcomes, "types")).toMatch(/FAILED +0\.0 s +2 packages$/);
});
