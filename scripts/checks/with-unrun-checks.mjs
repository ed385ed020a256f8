import { checks } from "./checks.mjs";

/**
 * turbo does not mention a task that nobody has a script for, nor one whose dependency failed. Either way a
 * check did not run, and that is an outcome too: not ok.
 */
export function withUnrunChecks(outcomes) {
  const seen = new Set(outcomes.map((outcome) => outcome.task));
  const unrun = [...checks.values()].filter((task) => !seen.has(task));
  return [...outcomes, ...unrun.map(neverStarted)];
}

function neverStarted(task) {
  return { name: task, package: "//", task, ok: false, skipped: true, cached: false, milliseconds: 0 };
}
