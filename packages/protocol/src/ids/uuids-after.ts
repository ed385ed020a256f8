import { hexWord } from "../encoding/hex-word.js";

/** Length of a UUID, and of what of it is counted on. */
const LENGTH = 36;
const TAIL = 8;

/**
 * The UUIDs after a UUIDv7 of the same moment: its last 32 bits counted on. `undefined` if it is no UUIDv7. They cannot
 * meet another of the same source, which differs in its counter.
 */
export function uuidsAfter(uuid: string): ((index: number) => string) | undefined {
  if (!isUuidV7(uuid)) return undefined;
  let tail = 0;
  for (let place = LENGTH - TAIL; place < LENGTH; place++) tail = tail * 16 + digitAt(uuid, place);
  const head = uuid.slice(0, -TAIL);
  return (index) => head + hexWord((tail + index) >>> 16) + hexWord(tail + index);
}

// By hand: every call that names something comes by here, and a regular expression takes several times as long.
function isUuidV7(text: string): boolean {
  if (text.length !== LENGTH) return false;
  for (let place = 0; place < LENGTH; place++) {
    const isDash = place === 8 || place === 13 || place === 18 || place === 23;
    if (isDash ? text.charCodeAt(place) !== DASH : digitAt(text, place) < 0) return false;
  }
  return digitAt(text, 14) === 7 && digitAt(text, 19) >>> 2 === 2;
}

const DASH = 45;

/** What each ASCII character is as a hexadecimal digit, in lower case; -1 if it is none. */
const DIGITS: Int8Array = Int8Array.from({ length: 128 }, (_, code) =>
  "0123456789abcdef".indexOf(String.fromCharCode(code)),
);

/** The hexadecimal digit at a place of a text; -1 if there is none. */
function digitAt(text: string, place: number): number {
  return DIGITS[text.charCodeAt(place)] ?? -1;
}
