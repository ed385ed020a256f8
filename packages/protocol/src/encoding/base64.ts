const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_ALPHABET = ALPHABET.replace("+/", "-_");
const PAD = 61;

/** Bytes as padded base64. Neither `btoa`, which needs a string as long as the bytes, nor Node's `Buffer`. */
export function encodeBase64(bytes: Uint8Array): string {
  const digits = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(PAD);
  let at = 0;
  for (let index = 0; index < bytes.length; index += 3) {
    const group = (byteAt(bytes, index) << 16) | (byteAt(bytes, index + 1) << 8) | byteAt(bytes, index + 2);
    // Two bytes make three digits, one byte makes two. The rest stays padding.
    const count = Math.min(3, bytes.length - index) + 1;
    for (let digit = 0; digit < count; digit++) {
      digits[at + digit] = ALPHABET.charCodeAt((group >>> (18 - 6 * digit)) & 63);
    }
    at += 4;
  }
  return new TextDecoder().decode(digits);
}

/** Bytes as base64url without padding: safe in a URL. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of base64url without padding; `undefined` for any text that `encodeBase64Url` does not write. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array((text.length * 3) >>> 2);
  let pending = 0;
  let bits = 0;
  let length = 0;
  for (const character of text) {
    const digit = URL_ALPHABET.indexOf(character);
    if (digit < 0) return undefined;
    pending = ((pending << 6) | digit) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = pending >>> bits;
  }
  const rest = pending & ((1 << bits) - 1);
  return bits === 6 || rest !== 0 ? undefined : bytes;
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}
