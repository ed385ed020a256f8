import fc from "fast-check";

/**
 * A choice among the items that exist when the sequence runs. So a sequence remains meaningful when steps are left out,
 * and can be shrunk.
 */
export type Choice = number;

export const choice: fc.Arbitrary<Choice> = fc.nat({ max: 63 });

/** The chosen item, or `undefined` if there are none. */
export function chosen<Item>(items: readonly Item[], which: Choice): Item | undefined {
  return items.length === 0 ? undefined : items[which % items.length];
}

/** The chosen item, or the substitute if there are none. */
export function chosenOr<Item>(items: readonly Item[], which: Choice, substitute: Item): Item {
  return chosen(items, which) ?? substitute;
}
