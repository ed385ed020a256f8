/** A value that the compiler would have refused: what callers without types hand over. */
export function untyped<Expected>(value: unknown): Expected {
  // The one place where the kit lies to the compiler, because callers in JavaScript do.
  return value as Expected;
}
