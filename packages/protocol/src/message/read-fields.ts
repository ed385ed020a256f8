import { type Fields, isRecord } from "../json/record.js";

/** More parts than the largest message can hold, at two bytes each. */
const MAX_PARTS = 2 ** 22;

/** The first of these fields that is a string and not empty. */
export function stringAt(fields: Fields, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** Whether a value is an array short enough to iterate. A proxy or a sparse array can claim any length. */
export function isBoundedArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= MAX_PARTS;
}

/** The objects in the array at a field; none if the field is no array. */
export function objectsAt(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key];
  return isBoundedArray(value) ? value.filter(isRecord) : [];
}
