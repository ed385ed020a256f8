/**
 * Whether an object is a plain one: made by `{}` or with no prototype, in this realm or another.
 * Only `Object.prototype` and the like have no prototype of their own; those of classes do.
 */
export function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
