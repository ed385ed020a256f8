const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Characters of two columns: ideographs, Kana, Hangul, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Characters of no column. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/** The number of columns of a line. */
export function widthOf(line: string): number {
  if (/^[\x20-\x7e]*$/.test(line)) return line.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(line)) width += columnsOf(segment);
  return width;
}

/** Cuts a line to a width, with an ellipsis if it is cut. */
export function fitted(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  let taken = "";
  let width = 1;
  for (const { segment } of GRAPHEMES.segment(line)) {
    width += columnsOf(segment);
    if (width > columns) break;
    taken += segment;
  }
  return `${taken}…`;
}

/** Pads a line to a width. */
export function padded(line: string, columns: number): string {
  return line + " ".repeat(Math.max(0, columns - widthOf(line)));
}

/** Wraps a text to a width, between words if possible. */
export function wrapped(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => (widthOf(line) <= columns ? [line] : broken(line, columns)));
}

function broken(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const { segment } of GRAPHEMES.segment(line)) {
    if (widthOf(current) + columnsOf(segment) > columns) {
      const space = current.lastIndexOf(" ");
      const end = space > columns / 2 ? space + 1 : current.length;
      lines.push(current.slice(0, end).trimEnd());
      current = current.slice(end);
    }
    current += segment;
  }
  return [...lines, current];
}

function columnsOf(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}
