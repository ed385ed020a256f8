// A table: `toString(16)` is slow for all but the smallest numbers.
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The lowest 16 bits of a number as four hex digits. */
export function hexWord(word: number): string {
  return `${HEX[(word >>> 8) & 0xff]}${HEX[word & 0xff]}`;
}
