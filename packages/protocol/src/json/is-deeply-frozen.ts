import { MAX_JSON_DEPTH } from "./max-json-depth.js";

/** More than most messages have. Shared objects may unfold without end. */
const MAX_VALUES = 2 ** 16;

/**
 * Whether nothing in a value can be changed any more. Says no to what is nested too deep, has too many values or cannot
 * be read: then it is checked as any other value is.
 */
export function isDeeplyFrozen(value: unknown): boolean {
  try {
    return new FrozenCheck().passes(value, 0);
  } catch {
    // A getter or a proxy threw. The check that follows reads the value again and reports what it throws.
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
