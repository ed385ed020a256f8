import { seconds, table } from "../run/table.mjs";
import { checks } from "./checks.mjs";

/** The checks' outcomes as lines of a table: one row per check, however many packages it ran in. */
export function checkTable(outcomes) {
  return table(
    [...checks].map(([name, task]) =>
      row(
        name,
        outcomes.filter((outcome) => outcome.task === task),
      ),
    ),
  );
}

function row(name, outcomes) {
  const failed = outcomes.filter((outcome) => !outcome.ok);
  const time = outcomes.reduce((sum, outcome) => sum + outcome.milliseconds, 0);
  const packages = outcomes.length > 1 ? `${outcomes.length} packages` : "";
  return [
    name,
    verdict(outcomes, failed),
    outcomes.every((outcome) => outcome.cached) ? "cached" : seconds(time),
    packages,
  ];
}

function verdict(outcomes, failed) {
  if (failed.some((outcome) => !outcome.skipped)) return "FAILED";
  // Not run because what it needs failed, or not run at all: neither is ok.
  if (failed.length > 0 || outcomes.length === 0) return "not run";
  return "ok";
}
