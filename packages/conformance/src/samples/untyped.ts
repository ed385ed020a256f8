/** A value of a wrong type, as callers without types may pass it. */
export function untyped<Expected>(value: unknown): Expected {
  // The only unsafe cast of the kit.
  return value as Expected;
}
