import { Digest } from "./digest.js";

/** A 128-bit digest of a text, as 32 hex digits. The same in every version; not for secrets. */
export function digestText(text: string): string {
  const digest = new Digest();
  digest.text(text);
  return digest.hex();
}
