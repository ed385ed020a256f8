/** Greater than every id: nothing can be said to be beyond it. */
const UNORDERED = "\uffff";

/** The greatest of some ids, if they are such that JavaScript and SQLite agree on their order. */
export function topOf(top: string, id: string): string {
  if (!isAscii(id)) return UNORDERED;
  return id > top ? id : top;
}

/**
 * Whether an id is beyond all those that `top` was made of, so that it cannot be one of them. Generated ids rise, so
 * this saves nearly every look into an index.
 */
export function isBeyondTop(id: string, top: string): boolean {
  return id > top && isAscii(id);
}

/** Such texts have one order, in JavaScript and in SQLite. */
export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}
