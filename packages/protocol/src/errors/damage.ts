/** Stored data that cannot be what was written. Backends tell it as SESSION_CORRUPTED. */
export class Damage extends Error {
  /** Where it is: a table and a row, a key and a field. */
  readonly location: string;

  constructor(location: string, problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.location = location;
  }
}

/** Reads stored JSON. */
export function parseStored<Value>(text: string, location: string): Value {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Damage(location, "is not the JSON that was written", { cause });
  }
}
