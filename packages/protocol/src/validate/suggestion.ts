/** The one of `names` that somebody may have meant; `undefined` if none is like it. */
function closest(given: string, names: Iterable<string>): string | undefined {
  const word = given.toLowerCase();
  const candidates = [...names].map((name) => ({ name, distance: editDistance(word, name.toLowerCase()) }));
  const [best] = candidates.sort((a, b) => a.distance - b.distance);
  // Two for letters that changed places; less than half of it, or anything would be like anything short.
  return best !== undefined &&
    best.distance * 2 < best.name.length &&
    best.distance <= Math.max(2, best.name.length / 3)
    ? best.name
    : undefined;
}

/** The sentence ` Did you mean "…?"` for a misspelt name; empty if no name is like it. */
export function suggestion(given: string, names: Iterable<string>): string {
  const name = closest(given, names);
  return name === undefined ? "" : ` Did you mean "${name}"?`;
}

/** How many characters must be added, removed or changed to make one word of the other. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, character] of [...one].entries()) row = nextRow(row, at + 1, character, other);
  return row.at(-1) ?? 0;
}

function nextRow(above: readonly number[], first: number, character: string, other: string): number[] {
  const row = [first];
  for (let at = 0; at < other.length; at += 1) {
    const changed = (above[at] ?? 0) + (other[at] === character ? 0 : 1);
    row.push(Math.min(changed, (above[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1));
  }
  return row;
}
