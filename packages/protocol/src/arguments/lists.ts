import { SessionError } from "../errors/session-error.js";
import { readable, unreadable } from "./invalid-argument.js";
import type { Limits } from "./limits.js";
import { requireArray, requireRecord } from "./require-value.js";

/**
 * Checks the items of an array one by one and stops at the first bad one. The length is read once and compared with the
 * limit before the loop: a proxy or a sparse array can claim any length.
 */
export function requireItems<Item>(
  value: unknown,
  path: string,
  limits: Limits,
  check: (item: unknown, path: string) => Item,
): Item[] {
  const array = readable(path, () => requireArray(value, path));
  const length = boundedLength(array, path, limits);
  const items: Item[] = [];
  for (let index = 0; index < length; index++) {
    const at = `${path}[${index}]`;
    items.push(check(itemOf(array, index, at), at));
  }
  return items;
}

/** A copy of an array. Its items are checked later. */
export function copyItems<Item>(value: readonly Item[], path: string, limits: Limits): Item[] {
  readable(path, () => requireArray(value, path));
  const length = boundedLength(value, path, limits);
  const items: Item[] = [];
  for (let index = 0; index < length; index++) items.push(itemOf(value, index, `${path}[${index}]`));
  return items;
}

function boundedLength(array: readonly unknown[], path: string, limits: Limits): number {
  const length = readable(path, () => array.length);
  requireFewItems(length, path, limits.items);
  return length;
}

/** One item or several, as an array for `requireItems`. */
export function oneOrMany(value: unknown, path: string): unknown {
  return readable(path, () => (Array.isArray(value) ? value : [value]));
}

/** The own enumerable fields of an object: labels, counters, metadata. */
export function requireEntries(value: unknown, path: string, maxEntries: number): [string, unknown][] {
  return readable(path, () => {
    const record = requireRecord(value, path);
    requireFewItems(Object.keys(record).length, path, maxEntries);
    return Object.entries(record);
  });
}

function requireFewItems(count: number, path: string, limit: number): void {
  if (count <= limit) return;
  const message = `${path} has ${count} items; ${limit} are allowed.`;
  throw SessionError.of("TOO_LARGE", message, { path, limit });
}

// Not `readable`: it would create a closure for every message of a long history.
function itemOf<Item>(array: readonly Item[], index: number, path: string): Item {
  try {
    return array[index] as Item; // `index` is below the length; the check of the item refuses a hole
  } catch (error) {
    throw unreadable(path, error);
  }
}
