import { SessionError } from "../errors/session-error.js";

/** A refusal of a caller's argument, with the way to it. */
export function invalid(path: string, problem: string): SessionError {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${problem}`, { path });
}

/** Something is larger than allowed. */
export function tooLarge(path: string, bytes: number, limit: number): SessionError {
  return SessionError.of("TOO_LARGE", `${path} has ${bytes} bytes; ${limit} are allowed.`, {
    path,
    bytes,
    limit,
  });
}

/** The path to a field of an argument; of the call itself where there is no path yet. */
export function within(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** What kind of value a caller gave, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" || typeof value === "undefined"
    ? typeof value === "object"
      ? "an object"
      : "undefined"
    : `a ${typeof value}`;
}

const MAX_SHOWN_CHARACTERS = 80;

/** A value as messages show it. Objects are not shown: turning one into text may throw, or never end. */
export function shown(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(
      value.length > MAX_SHOWN_CHARACTERS ? `${value.slice(0, MAX_SHOWN_CHARACTERS)}…` : value,
    );
  }
  return typeof value === "number" || typeof value === "boolean" ? String(value) : kindOf(value);
}

/** Whether a value is an object with fields: not null, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function requireRecord(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw invalid(path, `must be an object, not ${kindOf(value)}.`);
}

export function requireArray(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(path, `must be an array, not ${kindOf(value)}.`);
}

/**
 * Runs code that reads what a caller gave. Getters and proxies may throw anything: that is INVALID_ARGUMENT, with what
 * they threw as its cause.
 */
export function readable<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** What reading an argument threw, as a refusal of the argument. */
export function unreadable(path: string, error: unknown): SessionError {
  if (SessionError.is(error)) return error;
  const message = `${path} could not be read: it threw an error (see the cause).`;
  return SessionError.of("INVALID_ARGUMENT", message, { path, cause: error });
}

export function requireString(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  throw invalid(path, `must be a string, not ${kindOf(value)}.`);
}

export function requireBoolean(value: unknown, path: string): boolean {
  if (typeof value === "boolean") return value;
  throw invalid(path, `must be true or false, not ${kindOf(value)}.`);
}

/** A whole number of at least `least`. */
export function requireCount(value: unknown, path: string, least = 0): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw invalid(path, `must be a whole number of at least ${least}, not ${shown(value)}.`);
}

/** Milliseconds since the epoch, as a number or a `Date`. */
export function requireTime(value: unknown, path: string): number {
  const time = readable(path, () => (value instanceof Date ? value.getTime() : value));
  if (typeof time === "number" && Number.isFinite(time)) return time;
  throw invalid(path, "must be a time in milliseconds since the epoch, or a valid Date.");
}

/** One of a closed set of strings. */
export function requireOneOf<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
  path: string,
): Choice {
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  throw invalid(path, `must be one of ${choices.map((one) => `"${one}"`).join(", ")}, not ${shown(value)}.`);
}

/** Applies `check` to a value that may be left out. */
export function optional<Value>(
  value: unknown,
  path: string,
  check: (value: unknown, path: string) => Value,
): Value | undefined {
  return value === undefined ? undefined : check(value, path);
}

/** An object with this one field, or with none where the value is absent. */
export function field<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [N in Name]?: Value };
export function field(name: string, value: unknown): object {
  return value === undefined ? {} : { [name]: value };
}
