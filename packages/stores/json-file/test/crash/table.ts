/** Rows as text, in columns; numbers to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? "").length)),
  );
  const line = (row: readonly (string | number)[]): string =>
    row.map((cell, column) => padded(cell, widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

function padded(cell: string | number, width: number): string {
  return typeof cell === "number" ? String(cell).padStart(width) : cell.padEnd(width);
}
