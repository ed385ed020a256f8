/** An object from outside: nobody has promised what is in it. */
export interface Fields {
  readonly [key: string]: unknown;
}

/** Whether a value is an object with named fields, as opposed to an array or a plain value. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under a field; one without fields where there is none. */
export function fieldsAt(fields: Fields, key: string): Fields {
  const value = fields[key];
  return isFields(value) ? value : {};
}

/** The objects in the array under a field; none where there is no array. */
export function objectsAt(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The first of these fields that holds a string with something in it. */
export function stringAt(fields: Fields, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** An object with this one field, or with none where the value is absent. */
export function field<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [N in Name]?: Value };
export function field(name: string, value: unknown): object {
  return value === undefined ? {} : { [name]: value };
}
