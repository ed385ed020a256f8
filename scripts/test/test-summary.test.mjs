import { expect, test } from "vitest";
import { testSummary } from "../run/test-summary.mjs";

const outcome = (change) => ({
  package: "@sessions/red",
  task: "test",
  folder: "red",
  ok: true,
  cached: false,
  skipped: false,
  milliseconds: 1500,
  ...change,
});
const report = { passed: 3, failed: 0, skipped: 0 };
const summaryOf = (outcomes, read = () => report) => testSummary(outcomes, 2000, read);

test("the last line has only the sum", () => {
  const { ok, lines } = summaryOf([outcome(), outcome({ package: "//", task: "test:scripts" })]);
  expect(ok).toBe(true);
  expect(lines).toEqual([
    "tests",
    "  @sessions/red  3 passed  1.5 s",
    "  scripts        3 passed  1.5 s",
    "",
    "2.0 s in all",
    "6 passed, 0 failed",
  ]);
});

test("a run from the cache says so", () => {
  expect(summaryOf([outcome({ cached: true })]).lines).toContain("everything from cache, 2.0 s in all");
});

test("failed tests are counted", () => {
  const { ok, lines } = summaryOf([outcome({ ok: false })], () => ({ passed: 3, failed: 2, skipped: 1 }));
  expect([ok, ...lines.slice(-2)]).toEqual([false, "1 skipped", "3 passed, 2 failed"]);
});

test.each([
  [
    "a suite that crashed before its report",
    [outcome({ ok: false }), outcome()],
    (folder) => (folder ? undefined : report),
  ],
  ["a suite with an error outside of its tests", [outcome({ ok: false })], () => report],
  ["a build", [outcome(), outcome({ task: "build", ok: false })], () => report],
  [
    "a check that was never started",
    [outcome(), outcome({ task: "check:types", ok: false, skipped: true })],
    () => report,
  ],
  ["nothing at all that ran", [], () => undefined],
])("%s counts as a failure", (_, outcomes, read) => {
  const { ok, lines } = summaryOf(outcomes, read);
  expect([ok, lines.at(-1)]).toEqual([false, expect.stringMatching(/, 1 failed$/)]);
});
