/** Stored data is not what was written. Backends report it as SESSION_CORRUPTED. */
export class Damage extends Error {
  /** A table and a row, or a key and a field. */
  readonly location: string;

  constructor(location: string, problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.location = location;
  }
}

/** Parses stored JSON. */
export function parseStored<Value>(text: string, location: string): Value {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Damage(location, "is not the JSON that was written", { cause });
  }
}
