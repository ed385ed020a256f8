/** Characters that JSON does not escape and a terminal obeys: C1 controls (U+009B begins an escape sequence) and text direction. */
const OBEYED = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A value as one line of JSON without characters that control a terminal. Programs parse the same value. */
export function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(OBEYED, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
