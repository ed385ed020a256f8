import { digestText } from "../hash/digest.js";

/**
 * The id with number `index` that is derived from `seed`: a UUID of version 8 (RFC 9562), made from a digest. The index comes
 * first and ends at the `/`, so that no two pairs of index and seed give the same text.
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
