const SHOWN = 80;

/** A quote on one line, shortened. */
export function quoted(words: string): string {
  const line = words.replace(/\s+/g, " ");
  const characters = [...line];
  return `"${characters.length > SHOWN ? `${characters.slice(0, SHOWN - 1).join("")}…` : line}"`;
}
