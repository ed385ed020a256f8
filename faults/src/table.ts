import { markdownTable, type TableRow } from "run-tools";
import type { Report, StoreReport } from "./report.js";
import type { Violation } from "./worker-task.js";

/** Further violations of a store are only counted. */
const MAX_SHOWN_VIOLATIONS = 20;

/** The report as Markdown tables. */
export function table({ stores, verdict, seconds, seed }: Report): string {
  return [
    ...stores.map(storeTable),
    markdownTable(["store", "combinations", "tried", "not reached", "violations"], stores.map(sums)),
    `${verdict.toUpperCase()}: ${seconds.toFixed(0)} s, seed ${seed}`,
  ].join("\n\n");
}

function storeTable({ store, tally, violations }: StoreReport): string {
  const shown = violations.slice(0, MAX_SHOWN_VIOLATIONS).map(violationText);
  const more =
    violations.length > MAX_SHOWN_VIOLATIONS
      ? [`… and ${violations.length - MAX_SHOWN_VIOLATIONS} more`]
      : [];
  return [
    markdownTable([`${store}: operation`, "tried"], Object.entries(tally.tried)),
    markdownTable([`${store}: callers were told`, "times"], Object.entries(tally.answers)),
    ...shown,
    ...more,
  ].join("\n\n");
}

function sums({ store, tally, violations }: StoreReport): TableRow {
  const tried = Object.values(tally.tried).reduce((sum, count) => sum + count, 0);
  return [store, tally.all, tried, tally.missed, violations.length];
}

function violationText({ operation, isWarm, fault, answers, what }: Violation): string {
  const where = fault === undefined ? "no fault" : `${fault.kind} at ${fault.call} ${fault.nth}`;
  const state = isWarm ? "warm" : "just opened";
  return [`- ${operation} (${state}), ${where}: told ${answers.join(", ")}`, ...what].join("\n  ");
}
