/** Line ends, colour codes, the text between them, and other control characters. */
const PARTS = /\r\n|\n|\p{Cc}\[[\d;]*m|\P{Cc}+|\p{Cc}/gu;

/** What the colour codes of the chat turn on and off. */
const STYLES = new Map([
  ["\x1b[1m", "bold"],
  ["\x1b[2m", "dim"],
  ["\x1b[31m", "alarming"],
  ["\x1b[22m", undefined],
  ["\x1b[39m", undefined],
]);

/**
 * The text that the output of a terminal leaves on it: pieces with their time, row, column and style. Only output that never
 * moves back is understood; anything else is an error.
 */
export function terminalText(output, columns) {
  const position = { row: 0, column: 0, style: undefined };
  return output.flatMap(({ at, text }) =>
    (text.match(PARTS) ?? []).flatMap((part) =>
      shown(part, position, columns).map((run) => ({ at, ...run })),
    ),
  );
}

function shown(part, position, columns) {
  if (part === "\r\n" || part === "\n") {
    position.row += 1;
    position.column = 0;
    return [];
  }
  if (STYLES.has(part)) {
    position.style = STYLES.get(part);
    return [];
  }
  if (/\p{Cc}/u.test(part)) throw new Error(`${JSON.stringify(part)} cannot be drawn by the recording`);
  return rowsOf(part, position, columns);
}

/** A text that is longer than the rest of its row goes on in the next. */
function rowsOf(text, position, columns) {
  const runs = [];
  for (let rest = text; rest !== ""; ) {
    if (position.column === columns) Object.assign(position, { row: position.row + 1, column: 0 });
    const { row, column, style } = position;
    const run = rest.slice(0, columns - column);
    runs.push({ row, column, style, text: run });
    position.column += run.length;
    rest = rest.slice(run.length);
  }
  return runs;
}
