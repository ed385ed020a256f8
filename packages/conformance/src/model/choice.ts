import fc from "fast-check";

/**
 * A choice that is made when the sequence runs, among what there is then. So a generated sequence means something
 * whatever became of its beginning, and shrinks by leaving steps out.
 */
export type Choice = number;

export const choice: fc.Arbitrary<Choice> = fc.nat({ max: 63 });

/** The chosen one of these, if there are any. */
export function chosen<Item>(items: readonly Item[], which: Choice): Item | undefined {
  return items.length === 0 ? undefined : items[which % items.length];
}

/** The chosen one of these, else the substitute. */
export function chosenOr<Item>(items: readonly Item[], which: Choice, substitute: Item): Item {
  return chosen(items, which) ?? substitute;
}
