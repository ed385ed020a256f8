import type { Row } from "../row.js";
import { barText, figureIn, spreadText } from "./figure.js";

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const cells = [
      row.work,
      figureIn(row.unit, row.median),
      spreadText(row.spread),
      barText(row.bar, row.unit),
      verdict(row),
    ];
    return `| ${cells.map(cell).join(" | ")} |`;
  });
  return ["| work | median | spread | bar | |", "|---|---|---|---|---|", ...lines].join("\n");
}

function verdict({ met, note, problem }: Row): string {
  return [met ? "met" : "MISSED", problem, note].filter((part) => part !== undefined).join(" · ");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}
