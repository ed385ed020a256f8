/** A JSON object whose shape nobody has promised. */
export interface Fields {
  readonly [key: string]: unknown;
}

/** Whether a value is an object with named fields, as opposed to an array or a plain value. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first of these fields that holds a string with something in it. */
export function stringAt(fields: Fields, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** More parts than the largest message can hold, at two bytes each. */
const MAX_PARTS = 2 ** 22;

/** Whether a value is an array that no walk would take too long for: the length of a proxy or a sparse array may be anything. */
export function isWalkable(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= MAX_PARTS;
}

/** The objects in the array under a field; none where there is no array. */
export function objectsAt(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key];
  return isWalkable(value) ? value.filter(isFields) : [];
}
