/** A JSON value that can be changed. */
export type MutableJson = null | boolean | number | string | MutableJson[] | { [key: string]: MutableJson };

/** Values at the limits of what a field may be. */
const REPLACEMENTS: readonly MutableJson[] = [
  ...[null, true, [], [null], {}, { id: "x" }],
  ...[-1, 0, 1, 2, 0.5, 2 ** 31, 1e13, 2 ** 52, 2 ** 53 - 1, 1e300],
  ...["", "x", "m1", "\u0000", "\ud800", "__proto__", "y".repeat(513)],
];

/** One value in a tree of values, and its container. */
interface Slot {
  readonly container: MutableJson[] | { [key: string]: MutableJson };
  readonly key: string;
  readonly value: MutableJson;
}

/** Makes one random change somewhere in `root`: a value is replaced, removed, repeated, moved or added. */
export function mutate(root: MutableJson, random: () => number): void {
  const slots = slotsIn(root);
  if (slots.length === 0) return; // earlier changes have removed everything
  const slot = chosen(slots, random);
  const replacement =
    random() < 0.5 ? chosen(REPLACEMENTS, random) : structuredClone(chosen(slots, random).value);
  const { container, key, value } = slot;
  if (Array.isArray(container)) chosen(arrayChanges(container, Number(key), replacement), random)();
  else chosen(objectChanges(container, key, value, replacement), random)();
}

type Change = () => unknown;

function arrayChanges(items: MutableJson[], index: number, replacement: MutableJson): readonly Change[] {
  return [
    () => items.splice(index, 1),
    () => items.push(...structuredClone(items.slice(index, index + 1))),
    () => items.reverse(),
    () => items.splice(index, 1, replacement),
  ];
}

function objectChanges(
  object: { [key: string]: MutableJson },
  key: string,
  value: MutableJson,
  replacement: MutableJson,
): readonly Change[] {
  return [
    () => Reflect.deleteProperty(object, key),
    () => Reflect.set(object, `unknown ${key}`, replacement),
    () => Reflect.set(object, key, replacement),
    () => Reflect.set(object, key, typeof value === "number" ? value + 1 : replacement),
    () => Reflect.set(object, key, typeof value === "number" ? value - 1 : replacement),
  ];
}

function slotsIn(container: MutableJson): readonly Slot[] {
  if (typeof container !== "object" || container === null) return [];
  return Object.entries(container).flatMap(([key, value]) => [{ container, key, value }, ...slotsIn(value)]);
}

function chosen<Choice>(choices: readonly Choice[], random: () => number): Choice {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new Error("there is nothing to choose from");
  return choice;
}
