import { crc32 } from "node:zlib";

/** A checksum over several fields. Each is led by its length, so that nothing can move from one to the next. */
export function checksum(...fields: readonly (string | number | null)[]): number {
  let all = "";
  for (const field of fields) {
    const text = String(field);
    all += `${text.length}:${text}`;
  }
  return crc32(all);
}
