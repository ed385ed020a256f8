/** The number of characters to add, remove or change to turn one word into the other. */
export function editDistance(one: string, other: string): number {
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
