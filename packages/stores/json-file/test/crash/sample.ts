/** Some of the items, in order: the same ones for the same seed. */
export function sample<Item>(items: readonly Item[], size: number, seed: number): readonly Item[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let wanted = Math.min(size, items.length);
  return items.filter((_, index) => {
    const taken = next() * (items.length - index) < wanted;
    if (taken) wanted--;
    return taken;
  });
}
