/**
 * Freezes a JSON value through and through, and returns it. What is kept in memory is handed out as it is: frozen, it
 * need not be copied, and what a reader does to it reaches nobody. Frozen before means done.
 */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) if (typeof inner === "object") frozen(inner);
  return value;
}
