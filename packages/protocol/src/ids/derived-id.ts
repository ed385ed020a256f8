import { digestText } from "../hash/digest-text.js";

/**
 * The `index`-th id that belongs to `seed`: the same one each time. A UUID of version 8 (RFC 9562), made from a
 * digest. Any text may be a seed: the index comes first and ends at the `/`, so no other pair reads the same.
 */
export function derivedId(seed: string, index: number): string {
  const digest = digestText(`id/${index}/${seed}`);
  const variant = 0x8 | (Number.parseInt(digest.charAt(16), 16) & 0x3);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    variant.toString(16) + digest.slice(17, 20),
    digest.slice(20),
  ].join("-");
}
