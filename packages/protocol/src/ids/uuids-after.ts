import { hexWord } from "../encoding/hex-word.js";

const UUID_LENGTH = 36;
/** The last 32 bits, as hex digits: they are counted up. */
const TAIL_LENGTH = 8;

/**
 * The UUIDs that follow a UUIDv7: the same one with its last 32 bits counted up. `undefined` if it is no UUIDv7. They do not
 * collide with other UUIDs of the same source, whose counter differs.
 */
export function uuidsAfter(uuid: string): ((index: number) => string) | undefined {
  if (!isUuidV7(uuid)) return undefined;
  let tail = 0;
  for (let at = UUID_LENGTH - TAIL_LENGTH; at < UUID_LENGTH; at++) tail = tail * 16 + digitAt(uuid, at);
  const head = uuid.slice(0, -TAIL_LENGTH);
  return (index) => head + hexWord((tail + index) >>> 16) + hexWord(tail + index);
}

// Not a regular expression, which takes several times as long: every call that generates an id runs this.
function isUuidV7(text: string): boolean {
  if (text.length !== UUID_LENGTH) return false;
  for (let at = 0; at < UUID_LENGTH; at++) {
    const isDash = at === 8 || at === 13 || at === 18 || at === 23;
    if (isDash ? text.charCodeAt(at) !== DASH : digitAt(text, at) < 0) return false;
  }
  return digitAt(text, 14) === 7 && digitAt(text, 19) >>> 2 === 2;
}

const DASH = 45;

/** The value of each ASCII character as a lower-case hex digit; -1 if it is none. */
const DIGITS: Int8Array = Int8Array.from({ length: 128 }, (_, code) =>
  "0123456789abcdef".indexOf(String.fromCharCode(code)),
);

function digitAt(text: string, at: number): number {
  return DIGITS[text.charCodeAt(at)] ?? -1;
}
