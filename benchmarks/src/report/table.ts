import type { Row } from "../row.js";
import { barText, figureIn, spreadText } from "./figure.js";

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const cells = [
      row.work,
      figureIn(row.unit, row.median),
      spreadText(row.spread),
      row.bar === undefined ? "–" : barText(row.bar, row.unit),
      verdict(row),
    ];
    return `| ${cells.map(cell).join(" | ")} |`;
  });
  return ["| work | median | spread | bar | |", "|---|---|---|---|---|", ...lines].join("\n");
}

function verdict({ bar, met, note, problem }: Row): string {
  const judged = bar === undefined && met ? undefined : met ? "met" : "MISSED";
  return [judged, problem, note].filter((part) => part !== undefined).join(" · ");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}
