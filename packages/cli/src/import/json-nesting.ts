/** More than any exported session has: a message may be nested 500 levels deep, and lies a few levels down in a bundle. */
const MAX_NESTING = 600;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Whether a JSON text is nested more deeply than anything that can be imported. Asked before it is parsed: a hundred million
 * brackets would fill the memory, and what is written or compared recursively would exhaust the stack.
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
