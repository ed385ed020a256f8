/** A copy of `items` with `item` at its end. */
export function appended<T>(items: readonly T[], item: T): readonly T[] {
  // toSpliced makes an array of the exact size, and fast; `[...items, item]` leaves room for twice as many.
  return items.toSpliced(items.length, 0, item);
}
