import { crc32 } from "node:zlib";

/** A checksum over several fields. Each is led by its length, so that nothing can move from one to the next. */
export function checksum(...fields: readonly (string | number | null)[]): number {
  let sum = 0;
  for (const field of fields) {
    const text = String(field);
    sum = crc32(text, crc32(`${text.length}:`, sum));
  }
  return sum;
}
