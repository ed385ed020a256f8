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
  const time = outcomes.reduce((sum, outcome) => sum + outcome.milliseconds, 0);
  const packages = outcomes.length > 1 ? `${outcomes.length} packages` : "";
  return [
    name,
    verdict(outcomes),
    outcomes.every(({ cached }) => cached) ? "cached" : seconds(time),
    packages,
  ];
}

function verdict(outcomes) {
  const failed = outcomes.filter((outcome) => !outcome.ok);
  if (failed.length === 0) return "ok";
  return failed.every((outcome) => outcome.skipped) ? "not run" : "FAILED";
}
