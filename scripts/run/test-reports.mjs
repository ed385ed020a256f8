import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.mjs";

const report = join("reports", "vitest.json");

/**
 * Before a run: a report left by an earlier one must not be counted if this run does not get as far as
 * writing its own.
 */
export function forgetReports(folders) {
  for (const folder of folders) rmSync(join(root, folder, report), { force: true });
}

/** How many tests of the package in `folder` passed, failed and were skipped; undefined without a report. */
export function readReport(folder) {
  const file = join(root, folder, report);
  if (!existsSync(file)) return undefined;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}
