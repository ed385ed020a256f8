// Halves of surrogate pairs are moved to the private use area, and what is there behind everything else: so the bytes of the
// UTF-8 are in the order of the JavaScript strings.
const HALVES = 0xd800;
const PRIVATE = 0xe000;
const BEHIND = 0x100000;

/** A character that no member has: see `memberOf`. */
export const BETWEEN_MEMBERS = "\uffff";

/**
 * A session id as the sorted sets of the index hold it: a text whose bytes are in the order of JavaScript strings, so that lists are
 * ordered as in every other store. Nearly all ids stay as they are.
 */
export function memberOf(id: string): string {
  if (!/[\ud800-\uffff]/.test(id)) return id;
  let member = "";
  for (let index = 0; index < id.length; index++) {
    const unit = id.charCodeAt(index);
    if (unit < HALVES) member += id.charAt(index);
    else if (unit < PRIVATE) member += String.fromCharCode(PRIVATE + unit - HALVES);
    else member += String.fromCodePoint(BEHIND + unit - PRIVATE);
  }
  return member;
}

/** The session id of a member. */
export function idOfMember(member: string): string {
  if (!/[\ud800-\uffff]/.test(member)) return member;
  let id = "";
  for (const character of member) {
    const point = character.codePointAt(0) ?? 0;
    if (point < PRIVATE) id += character;
    else id += String.fromCharCode(point >= BEHIND ? point - BEHIND + PRIVATE : point - PRIVATE + HALVES);
  }
  return id;
}
