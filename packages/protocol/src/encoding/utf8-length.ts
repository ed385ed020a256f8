/** Up to this length a loop is faster than a regular expression. Keys and ids are that short. */
const MAX_SHORT_UNITS = 40;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** The length of `text` in UTF-8. A lone surrogate counts 3 bytes, as the replacement character that encoders write. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  const first = firstBeyondAscii(text);
  if (first < 0) return bytes;
  for (let index = first; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x800) bytes += 2;
    else if (unit >= 0x80) bytes += 1;
    // A pair takes 4 bytes; two lone halves take 6.
    if (isHigh(unit) && isLow(text.charCodeAt(index + 1))) index++;
  }
  return bytes;
}

/** Most texts are ASCII. On long ones the regular expression is three times as fast as the loop. */
function firstBeyondAscii(text: string): number {
  if (text.length > MAX_SHORT_UNITS) return text.search(BEYOND_ASCII);
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return index;
  return -1;
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
