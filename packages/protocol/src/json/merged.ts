/**
 * `{ ...one, ...other }` for objects of any shape. A spread that is followed by more properties makes V8 give every
 * result a hidden class of its own, and whoever reads one pays for that; only `assign` would take `__proto__` for the
 * prototype.
 */
export function merged<One extends object, Other extends object>(one: One, other: Other): One & Other {
  if (Object.hasOwn(one, "__proto__") || Object.hasOwn(other, "__proto__")) return { ...one, ...other };
  return Object.assign({}, one, other);
}
