/** A text that SQLite can compare byte by byte: half of a surrogate pair has no UTF-8, so it is escaped. */
export function storableText(text: string): string {
  return text.isWellFormed() && !text.startsWith("\0") ? text : `\0${JSON.stringify(text)}`;
}
