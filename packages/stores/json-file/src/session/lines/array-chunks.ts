/** How many elements a chunk has: some ten thousand bytes, so that no parse takes long. */
const CHUNK_LENGTH = 256;

/** Where a long array was taken out, by property names and indexes, and how many chunks it makes. */
export type ChunkCount = readonly [path: readonly (string | number)[], count: number];

type Path = ChunkCount[0];

/** A value without its long arrays, and these arrays in chunks. */
interface Split<Value> {
  readonly value: Value & { readonly parts?: readonly ChunkCount[] };
  readonly chunks: readonly (readonly unknown[])[];
}

/** Whether an array is split into chunks. */
export function isLong(array: readonly unknown[]): boolean {
  return array.length > CHUNK_LENGTH;
}

/** Takes the long arrays at these paths out of a value. */
export function splitArrays<Value extends object>(value: Value, paths: Iterable<Path>): Split<Value> {
  const chunks: (readonly unknown[])[] = [];
  const counts: ChunkCount[] = [];
  let rest = value;
  for (const path of paths) {
    const array = path.reduce<unknown>(property, value);
    if (!Array.isArray(array) || !isLong(array)) continue;
    const own = slices(array);
    chunks.push(...own);
    counts.push([path, own.length]);
    rest = replaced(rest, path, []);
  }
  return { value: counts.length === 0 ? rest : { ...rest, parts: counts }, chunks };
}

/** Puts the arrays back. `undefined` if the chunks are not those that the value names. */
export function joinArrays<Value extends { readonly parts?: readonly ChunkCount[] }>(
  { parts: counts = [], ...value }: Value,
  chunks: readonly (readonly unknown[])[],
): Omit<Value, "parts"> | undefined {
  if (counts.reduce((sum, [, count]) => sum + count, 0) !== chunks.length) return undefined;
  let whole = value;
  let from = 0;
  for (const [path, count] of counts) {
    whole = replaced(whole, path, chunks.slice(from, from + count).flat());
    from += count;
  }
  return whole;
}

function slices(array: readonly unknown[]): (readonly unknown[])[] {
  const count = Math.ceil(array.length / CHUNK_LENGTH);
  return Array.from({ length: count }, (_, index) =>
    array.slice(index * CHUNK_LENGTH, (index + 1) * CHUNK_LENGTH),
  );
}

function property(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** A copy with another value at a path. Everything beside the path is shared. */
function replaced<Value extends object>(value: Value, [key, ...rest]: Path, by: unknown): Value {
  if (key === undefined) return value;
  const inner = property(value, key);
  const next =
    rest.length === 0 || typeof inner !== "object" || inner === null ? by : replaced(inner, rest, by);
  const copy: Value = Array.isArray(value) ? Object.assign([], value) : { ...value };
  Reflect.set(copy, key, next);
  return copy;
}
