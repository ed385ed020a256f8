import { seconds, table } from "./table.mjs";
import { readReport } from "./test-reports.mjs";

/**
 * The end of `npm test`: a row per package with tests, the time, and the sum alone on the last line.
 * A build or check that failed counts as one failure, so that "0 failed" is never printed over a failed run.
 */
export function testSummary(outcomes, milliseconds, read = readReport) {
  const suites = outcomes
    .filter((outcome) => outcome.task.startsWith("test"))
    .map((outcome) => suiteOf(outcome, read));
  const passed = sum(suites.map((suite) => suite.passed));
  const skipped = sum(suites.map((suite) => suite.skipped));
  const others = outcomes.filter((outcome) => !outcome.task.startsWith("test") && !outcome.ok);
  const nothingRan = passed === 0 ? 1 : 0;
  const failed = Math.max(sum(suites.map((suite) => suite.failed)) + others.length, nothingRan);
  return {
    ok: failed === 0,
    lines: [
      "tests",
      ...table(suites.map(row)),
      "",
      `${outcomes.every((outcome) => outcome.cached) ? "everything from cache, " : ""}${seconds(milliseconds)} in all`,
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
      `${passed} passed, ${failed} failed`,
    ],
  };
}

function suiteOf(outcome, read) {
  const folder = outcome.package === "//" ? "scripts" : outcome.folder;
  const { passed, failed, skipped } = read(folder) ?? { passed: 0, failed: 0, skipped: 0 };
  // Without one failed test of its own, a failed task (a crash, an unhandled rejection) is still a failure.
  return { outcome, passed, skipped, failed: outcome.ok ? failed : Math.max(failed, 1) };
}

function row({ outcome, passed, failed, skipped }) {
  const count = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(
    Boolean,
  );
  const name = outcome.package === "//" ? "scripts" : outcome.package;
  return [
    name,
    outcome.skipped ? "not run" : count.join(", "),
    outcome.cached ? "cached" : seconds(outcome.milliseconds),
  ];
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
