const SYMBOLS_OF_CONTROLS = 0x2400;
const DELETE = 0x7f;
const SYMBOL_OF_DELETE = "\u2421";

/** Controls except line feed and tab, characters that change the direction of text, and lone surrogates. */
const COMMANDS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** Makes every control character of a stored text visible, so that no escape sequence reaches the terminal. */
export const stripControls = (text: string): string => text.replace(COMMANDS, visible);

/** The same, on one line, for ids, titles and names. */
export const stripControlsLine = (text: string): string =>
  stripControls(text.replace(/[\s\u0085\u2028\u2029]+/g, " ").trim());

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(SYMBOLS_OF_CONTROLS + code);
  return code === DELETE ? SYMBOL_OF_DELETE : `<${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
