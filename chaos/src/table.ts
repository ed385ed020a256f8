import { markdownTable, type TableRow } from "run-tools";
import type { Report } from "./report.js";

/** The report as Markdown tables. */
export function table(report: Report): string {
  return [
    markdownTable(["call", "ok", "failed", "unknown"], callRows(report)),
    markdownTable(["what", "count"], [...countRows(report), ...Object.entries(report.found)]),
    ...report.skipped.map((what) => `skipped: ${what}`),
    ...report.findings.map(({ kind, session, detail }) => `- ${kind}, session "${session}": ${detail}`),
    verdict(report),
  ].join("\n\n");
}

function callRows({ calls }: Report): readonly TableRow[] {
  const kinds = Object.entries(calls).sort(([a], [b]) => a.localeCompare(b));
  return kinds.map(([kind, { ok, failed, unknown }]) => [kind, ok, failed, unknown]);
}

function countRows({ target, disturbances, skipped, sessions, acknowledged }: Report): readonly TableRow[] {
  const filled = skipped.some((what) => what.startsWith("filled disks"))
    ? "skipped"
    : disturbances.filledDisks;
  return [
    ["kills", disturbances.kills],
    ["pauses", disturbances.pauses],
    ["clock steps", disturbances.clockSteps],
    ["filled disks", filled],
    ...Object.entries(disturbances.server),
    ["sessions", sessions],
    [acknowledgedName(target), acknowledged],
  ];
}

function acknowledgedName(target: Report["target"]): string {
  return target === "store" ? "acknowledged messages" : "settled updates";
}

function verdict({ target, store, servers, seed, writers, seconds, verdict: word, kept }: Report): string {
  const user = target === "store" ? "" : `${target} on `;
  const layout = servers === "one" ? "" : ` (${servers})`;
  const run = `${word.toUpperCase()}: ${user}${store}${layout}, ${writers} writers, ${seconds.toFixed(0)} s, seed ${seed}`;
  return kept === undefined ? run : `${run}\nlogs and data are kept in ${kept}`;
}
