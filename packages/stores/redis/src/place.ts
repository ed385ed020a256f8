// Halves of surrogate pairs are put where the private use area is, and what is there behind everything else: so the bytes
// of the UTF-8 are in the order of the JavaScript strings.
const HALVES = 0xd800;
const PRIVATE = 0xe000;
const BEHIND = 0x100000;

/**
 * A session id as a text whose bytes are in the order of JavaScript strings, so that lists are ordered as in every other
 * store. Nearly all ids stay as they are.
 */
export function placeOf(id: string): string {
  if (!/[\ud800-\uffff]/.test(id)) return id;
  let place = "";
  for (let index = 0; index < id.length; index++) {
    const unit = id.charCodeAt(index);
    if (unit < HALVES) place += id.charAt(index);
    else if (unit < PRIVATE) place += String.fromCharCode(PRIVATE + unit - HALVES);
    else place += String.fromCodePoint(BEHIND + unit - PRIVATE);
  }
  return place;
}

/** The session id of a place. */
export function idOf(place: string): string {
  if (!/[\ud800-\uffff]/.test(place)) return place;
  let id = "";
  for (const character of place) {
    const point = character.codePointAt(0) ?? 0;
    if (point < PRIVATE) id += character;
    else id += String.fromCharCode(point >= BEHIND ? point - BEHIND + PRIVATE : point - PRIVATE + HALVES);
  }
  return id;
}
