/** How many elements a part has: some ten thousand bytes, so that nobody has to parse megabytes at once. */
const PART_LENGTH = 256;

/** Where a long array was taken out, by property names and indexes, and how many parts it makes. */
export type PartCount = readonly [path: readonly (string | number)[], count: number];

type Path = PartCount[0];

/** A value without its long arrays, and those arrays in parts. */
export interface Parted<Value> {
  readonly value: Value & { readonly parts?: readonly PartCount[] };
  readonly parts: readonly (readonly unknown[])[];
}

/** Whether an array is worth parts. */
export function isLong(array: readonly unknown[]): boolean {
  return array.length > PART_LENGTH;
}

/** Takes the long arrays at these paths out of a value. */
export function parted<Value extends object>(value: Value, paths: Iterable<Path>): Parted<Value> {
  const parts: (readonly unknown[])[] = [];
  const counts: PartCount[] = [];
  let rest = value;
  for (const path of paths) {
    const array = path.reduce<unknown>(property, value);
    if (!Array.isArray(array) || !isLong(array)) continue;
    const own = slices(array);
    parts.push(...own);
    counts.push([path, own.length]);
    rest = replaced(rest, path, []);
  }
  return { value: counts.length === 0 ? rest : { ...rest, parts: counts }, parts };
}

/** Puts the arrays back. `undefined` if the parts are not those that the value names. */
export function joined<Value extends { readonly parts?: readonly PartCount[] }>(
  { parts: counts = [], ...value }: Value,
  parts: readonly (readonly unknown[])[],
): Omit<Value, "parts"> | undefined {
  if (counts.reduce((sum, [, count]) => sum + count, 0) !== parts.length) return undefined;
  let whole = value;
  let from = 0;
  for (const [path, count] of counts) {
    whole = replaced(whole, path, parts.slice(from, from + count).flat());
    from += count;
  }
  return whole;
}

function slices(array: readonly unknown[]): (readonly unknown[])[] {
  const count = Math.ceil(array.length / PART_LENGTH);
  return Array.from({ length: count }, (_, index) =>
    array.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH),
  );
}

function property(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** The value with another one at a path; all that is not on the way stays as it is. */
function replaced<Value extends object>(value: Value, [key, ...rest]: Path, by: unknown): Value {
  if (key === undefined) return value;
  const inner = property(value, key);
  const next =
    rest.length === 0 || typeof inner !== "object" || inner === null ? by : replaced(inner, rest, by);
  const copy: Value = Array.isArray(value) ? Object.assign([], value) : { ...value };
  Reflect.set(copy, key, next);
  return copy;
}
