/** The name that is most similar to `given`; `undefined` if none is similar. */
function closest(given: string, names: Iterable<string>): string | undefined {
  const word = given.toLowerCase();
  const candidates = [...names].map((name) => ({ name, distance: editDistance(word, name.toLowerCase()) }));
  const [best] = candidates.sort((a, b) => a.distance - b.distance);
  // Fewer than half of the characters may differ. Otherwise every short name would be similar to every other.
  return best !== undefined &&
    best.distance * 2 < best.name.length &&
    best.distance <= Math.max(2, best.name.length / 3)
    ? best.name
    : undefined;
}

/** The sentence ` Did you mean "…?"` for a misspelt name; empty if no name is similar. */
export function suggestion(given: string, names: Iterable<string>): string {
  const name = closest(given, names);
  return name === undefined ? "" : ` Did you mean "${name}"?`;
}

/** The number of characters to add, remove, change or swap with the next one to turn one word into the other. */
function editDistance(one: string, other: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 0; at < one.length; at += 1) [before, row] = [row, nextRow(before, row, one, at, other)];
  return row.at(-1) ?? 0;
}

/** The row for one more character of `one`, from the two rows above it. */
function nextRow(
  before: readonly number[],
  above: readonly number[],
  one: string,
  at: number,
  other: string,
): readonly number[] {
  const row = [at + 1];
  for (let to = 0; to < other.length; to += 1) {
    const changed = (above[to] ?? 0) + (other[to] === one[at] ? 0 : 1);
    const isSwap = at > 0 && to > 0 && one[at] === other[to - 1] && one[at - 1] === other[to];
    const swapped = isSwap ? (before[to - 1] ?? 0) + 1 : changed;
    row.push(Math.min(changed, swapped, (above[to + 1] ?? 0) + 1, (row[to] ?? 0) + 1));
  }
  return row;
}
