import { fitted, padded, widthOf } from "./width.js";

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** The minimum width on a narrow terminal. Absent: the column is never narrower than its content. */
  readonly least?: number;
  readonly align?: "right";
  readonly style?: (text: string) => string;
}

const GAP = 2;

/** A table that is no wider than the terminal. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  heading: (text: string) => string,
): readonly string[] {
  const widths = fittedWidths(columns, rows, width);
  const line = (cells: readonly string[], style: (text: string, at: number) => string): string =>
    columns
      .map((column, at) => {
        const cell = fitted(cells[at] ?? "", widths[at] ?? 0);
        const room = " ".repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell)));
        if (column.align === "right") return `${room}${style(cell, at)}`;
        return at === columns.length - 1 ? style(cell, at) : style(cell, at) + padded("", room.length);
      })
      .join(" ".repeat(GAP))
      .trimEnd();
  return [
    line(
      columns.map(({ title }) => title),
      heading,
    ),
    ...rows.map((row) => line(row, (text, at) => columns[at]?.style?.(text) ?? text)),
  ];
}

/** Gives every column the width of its content. Then shrinks the widest column that may shrink until the table fits. */
function fittedWidths(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] {
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[at] ?? ""))),
  );
  const total = (): number => widths.reduce((sum, each) => sum + each, GAP * (columns.length - 1));
  while (total() > width) {
    const shrinkable = columns.map(({ least = Number.POSITIVE_INFINITY }, at) => {
      const now = widths[at] ?? 0;
      return now > least ? now : 0;
    });
    const widest = Math.max(...shrinkable);
    if (widest === 0) break;
    const at = shrinkable.indexOf(widest);
    widths[at] = widest - 1;
  }
  return widths;
}
