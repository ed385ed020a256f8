/** An object whose shape nobody has promised. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text under a field; "" where there is none. */
export function stringAt(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === "string" ? value : "";
}

/** The objects in the array under a field; none where there is no array. */
export function objectsAt(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key];
  return Array.isArray(value) ? value.filter(isFields) : [];
}
