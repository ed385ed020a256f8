/** Sets an own property. Plain assignment to `__proto__` would set the prototype. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * `{ ...one, ...other }` for objects of any shape. V8 gives every result of a spread with further properties its own hidden
 * class, which slows down every reader; `Object.assign` does not. It would set the prototype for a key `__proto__`.
 */
export function merged<One extends object, Other extends object>(one: One, other: Other): One & Other {
  if (Object.hasOwn(one, "__proto__") || Object.hasOwn(other, "__proto__")) return { ...one, ...other };
  return Object.assign({}, one, other);
}
