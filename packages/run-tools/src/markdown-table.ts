export type TableRow = readonly (string | number)[];

/** A Markdown table. Every column but the first is aligned to the right. */
export function markdownTable(head: readonly string[], body: readonly TableRow[]): string {
  const line = (cells: TableRow): string => `| ${cells.join(" | ")} |`;
  const rule = `|---|${"---:|".repeat(head.length - 1)}`;
  return [line(head), rule, ...body.map(line)].join("\n");
}
