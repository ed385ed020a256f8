/**
 * Everything that some program takes for a line end: Unicode's mandatory breaks (LF, VT, FF, CR, NEL, LS, PS) and the separators FS,
 * GS, RS and US.
 */
const LINE_ENDS: readonly number[] = [0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x85, 0x2028, 0x2029];
const LINE_END = new RegExp(`\\r\\n|[${String.fromCodePoint(...LINE_ENDS)}]`, "gu");

/** A text with `| ` before every line but the first. */
export function quotedLines(text: string): string {
  return text.replace(LINE_END, "\n| ");
}

/** A text on one line. */
export function singleLine(text: string): string {
  return text.replace(LINE_END, " ");
}
