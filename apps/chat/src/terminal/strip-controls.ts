const SYMBOLS_OF_CONTROLS = 0x2400;
const DELETE = 0x7f;
const SYMBOL_OF_DELETE = "\u2421";

/**
 * Characters that command a terminal or turn the direction of what follows: the C0 and C1 controls but line feed and
 * tab, and the embeddings, overrides and isolates of bidirectional text.
 */
const COMMANDS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Replaces control characters in a message, a title or a name with visible symbols. An escape sequence could otherwise clear the
 * screen, rename the window, or imitate another speaker.
 */
export const stripControls = (text: string): string => text.replace(COMMANDS, visible);

/** The same, on one line, for titles and names, which must not imitate lines of the chat. */
export const stripControlsLine = (text: string): string =>
  stripControls(text.replace(/[\s\u0085\u2028\u2029]+/g, " ").trim());

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(SYMBOLS_OF_CONTROLS + code);
  return code === DELETE ? SYMBOL_OF_DELETE : `<${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
