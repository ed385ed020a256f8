/**
 * A session id as bytes whose order is that of JavaScript strings (CESU-8: halves of a surrogate pair by themselves), so
 * that lists are ordered as in every other store. For nearly all ids this is plain UTF-8.
 */
export function sortKeyOf(id: string): Buffer {
  if (!/[\ud800-\udfff]/.test(id)) return Buffer.from(id, "utf8");
  const bytes: number[] = [];
  for (let index = 0; index < id.length; index++) bytes.push(...encoded(id.charCodeAt(index)));
  return Buffer.from(bytes);
}

function encoded(unit: number): readonly number[] {
  if (unit < 0x80) return [unit];
  if (unit < 0x800) return [0xc0 | (unit >> 6), 0x80 | (unit & 0x3f)];
  return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
}

/** The id of a sort key. Bytes that no id has become some id, so that a damaged row has a name as well. */
export function idOf(sortKey: Buffer): string {
  if (!sortKey.includes(0xed)) return sortKey.toString("utf8"); // the lead byte of surrogates
  const units: number[] = [];
  for (let at = 0; at < sortKey.length; ) {
    const [lead = 0, second = 0, third = 0] = sortKey.subarray(at, at + 3);
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : 3;
    if (length === 1) units.push(lead);
    else if (length === 2) units.push(((lead & 0x1f) << 6) | (second & 0x3f));
    else units.push(((lead & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f));
    at += length;
  }
  return String.fromCharCode(...units);
}
