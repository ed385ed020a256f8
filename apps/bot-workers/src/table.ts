import type { Report } from "./run-load.js";

/** The report as a Markdown table, and the verdict. */
export function table(report: Report): string {
  const rows: readonly (readonly [string, string | number])[] = [
    ["sent", report.sent],
    ["answered", report.answered],
    ["**lost**", report.lost],
    ["**doubled**", report.doubled],
    ["deliveries, doubles and repeats included", report.deliveries],
    ["deliveries without an answer, made again", report.redelivered],
    ["workers killed", report.kills],
    ["cut-off answers left", report.unfinished],
    ["seconds", Math.round(report.seconds)],
  ];
  const { verdict, store, workers, users, seed, kept } = report;
  return [
    ["| updates | |", "|---|---:|", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n"),
    ...report.examples.map((example) => `- ${example}`),
    `${verdict.toUpperCase()}: ${store}, ${workers} workers, ${users} users, seed ${seed}`,
    ...(kept === undefined ? [] : [`The sessions are kept: ${kept}`]),
  ].join("\n\n");
}
