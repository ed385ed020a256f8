import { checks } from "./checks.mjs";

/**
 * Adds the checks that did not run, as failed. turbo does not report a task without any script, nor one whose dependency
 * has failed.
 */
export function withUnrunChecks(outcomes) {
  const seen = new Set(outcomes.map((outcome) => outcome.task));
  const unrun = [...checks.values()].filter((task) => !seen.has(task));
  return [...outcomes, ...unrun.map(neverStarted)];
}

function neverStarted(task) {
  return { name: task, package: "//", task, ok: false, skipped: true, cached: false, milliseconds: 0 };
}
