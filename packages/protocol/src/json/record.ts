/** An object whose fields nobody has checked. */
export interface Fields {
  readonly [key: string]: unknown;
}

/** Whether a value is an object with named fields: not null, not an array. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether an object was made by `{}` or has no prototype. Only `Object.prototype` has no prototype of its own, so this holds
 * for objects of other realms too.
 */
export function isPlainObject(value: object): value is Fields {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
