import { within } from "./invalid-argument.js";

/** Checks a value of a caller and returns it; throws INVALID_ARGUMENT or TOO_LARGE with `path` in it. */
export type Check<Value> = (value: unknown, path: string) => Value;

/** Applies `check` to a value that may be absent. */
export function optional<Value>(value: unknown, path: string, check: Check<Value>): Value | undefined {
  return value === undefined ? undefined : check(value, path);
}

/** `{ [name]: value }`, or `{}` if the value is absent. */
export function field<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [N in Name]?: Value };
export function field(name: string, value: unknown): object {
  return value === undefined ? {} : { [name]: value };
}

/** `{ [name]: … }` with the checked field of `input`, or `{}` if `input` does not have it. */
export function checkedField<Input extends object, Name extends keyof Input & string, Value>(
  input: Input,
  name: Name,
  path: string,
  check: Check<Value>,
): { readonly [N in Name]?: Value } {
  return field(name, optional(input[name], within(path, name), check));
}
