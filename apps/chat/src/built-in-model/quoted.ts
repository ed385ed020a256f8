const SHOWN = 80;

/** Somebody's words on one line, and not too many of them. */
export function quoted(words: string): string {
  const line = words.replace(/\s+/g, " ");
  const characters = [...line];
  return `"${characters.length > SHOWN ? `${characters.slice(0, SHOWN - 1).join("")}…` : line}"`;
}
