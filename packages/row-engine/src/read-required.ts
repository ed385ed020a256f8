/** Thrown by a store that cannot read something at once. It is read, and what was being decided is decided again. */
export class ReadRequired<Wanted> extends Error {
  readonly wanted: Wanted;

  constructor(wanted: Wanted) {
    super("has to be read first");
    this.wanted = wanted;
  }
}
