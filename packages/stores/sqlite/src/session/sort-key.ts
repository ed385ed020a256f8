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
