/** More than any exported session has: a message may have 500 levels, and a bundle adds a few. */
const MAX_NESTING = 600;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Whether a JSON text has more levels than anything that can be imported. Called before the text is parsed, because a hundred
 * million brackets would fill the memory, and recursive code would overflow the stack.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === BACKSLASH) at++;
      else isString = code !== QUOTE;
    } else if (code === QUOTE) isString = true;
    else if (OPENING.has(code)) depth++;
    else if (CLOSING.has(code)) depth--;
    if (depth > MAX_NESTING) return true;
  }
  return false;
}
