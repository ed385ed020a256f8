import { crc32 } from "node:zlib";

/** A checksum over several fields. Each is preceded by its length, so that nothing can move from one to the next. */
export function checksum(...fields: readonly (string | number | null)[]): number {
  let before = "";
  let last = "";
  for (const field of fields) {
    before += last;
    last = String(field);
    before += `${last.length}:`;
  }
  return crc32(last, crc32(before)); // the last field is the long one: it is not copied
}
