import { MAX_JSON_DEPTH } from "./max-json-depth.js";

/** More than most messages have. A graph of shared objects may unfold endlessly. */
const MAX_VALUES = 2 ** 16;

/**
 * Freezes a JSON value with everything in it, and returns it. Cached values are returned to readers without a copy: nobody
 * can change them. A value that is frozen already is not looked into.
 */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) if (typeof inner === "object") frozen(inner);
  return value;
}

/** Whether nothing in a value can be changed. `false` also if the value is too deep, too large or unreadable. */
export function isDeeplyFrozen(value: unknown): boolean {
  try {
    return new FrozenCheck().passes(value, 0);
  } catch {
    // A getter or a proxy threw. The caller then checks the value like any other, and reports what it throws.
    return false;
  }
}

class FrozenCheck {
  private left = MAX_VALUES;

  passes(value: unknown, depth: number): boolean {
    if (typeof value !== "object" || value === null) return true;
    if (depth > MAX_JSON_DEPTH || !Object.isFrozen(value)) return false;
    for (const key in value) {
      if (this.left-- <= 0 || !this.passes(Reflect.get(value, key), depth + 1)) return false;
    }
    return true;
  }
}
