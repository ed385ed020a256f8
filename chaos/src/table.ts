import { markdownTable, type TableRow } from "run-tools";
import type { Report } from "./report.js";

/** The report as Markdown tables, and what to do next. */
export function table(report: Report): string {
  return [
    markdownTable(["call", "ok", "failed", "unknown"], callRows(report)),
    markdownTable(["what", "count"], [...struckRows(report), ...Object.entries(report.found)]),
    ...report.skipped.map((what) => `skipped: ${what}`),
    ...report.findings.map(({ kind, session, detail }) => `- ${kind}, session "${session}": ${detail}`),
    verdict(report),
  ].join("\n\n");
}

function callRows({ calls }: Report): readonly TableRow[] {
  const kinds = Object.entries(calls).sort(([a], [b]) => a.localeCompare(b));
  return kinds.map(([kind, { ok, failed, unknown }]) => [kind, ok, failed, unknown]);
}

function struckRows({ target, struck, skipped, sessions, acknowledged }: Report): readonly TableRow[] {
  const filled = skipped.some((what) => what.startsWith("filled disks")) ? "skipped" : struck.filledDisks;
  return [
    ["kills", struck.kills],
    ["pauses", struck.pauses],
    ["clock steps", struck.clockSteps],
    ["filled disks", filled],
    ...Object.entries(struck.own),
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
