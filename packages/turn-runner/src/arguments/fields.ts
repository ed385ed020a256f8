/** An object of unknown shape: JSON from a provider, a page or a store. */
export interface Fields {
  readonly [key: string]: unknown;
}

/** Whether a value is an object with named fields: not null, not an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under a key; an empty one if there is none. */
export function fieldsAt(fields: Fields, key: string): Fields {
  const value = fields[key];
  return isFields(value) ? value : {};
}

/** The objects in the array under a key; none if there is no array. */
export function objectsAt(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The first non-empty string under one of the keys. */
export function stringAt(fields: Fields, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}
