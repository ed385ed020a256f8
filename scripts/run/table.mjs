/** Rows of strings as lines with aligned columns. */
export function table(rows) {
  const widths = rows.reduce(
    (known, row) => row.map((cell, at) => Math.max(known[at] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at])).join("  ")}`.trimEnd());
}

export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
