import { type Fields, isPlainObject, isRecord } from "../json/record.js";
import { invalid, readable, unreadable, within } from "./invalid-argument.js";
import { checkKind, type OptionKind } from "./option-kind.js";
import { kindOf } from "./shown-value.js";
import { suggestion } from "./suggestion.js";

type AllKeys<Options> = Options extends unknown ? keyof Options : never;

/** The names of all options of a type, each with its kind. A missing name or a surplus one does not compile. */
export type OptionNames<Options> = { readonly [Name in AllKeys<Options>]: OptionKind };

/**
 * Checks an options object: a plain object with no unknown key, and values of the right kind. A misspelt option is
 * INVALID_ARGUMENT and never ignored. One that is `undefined` counts as absent. Returns a copy: every field is read once, so
 * that a getter cannot return something else later.
 */
export function requireOptions<Options extends object>(
  given: Options,
  names: { readonly [Name in AllKeys<Options>]: unknown },
  path?: string,
): Options;
export function requireOptions(given: object, names: object, path = "options"): object {
  // Not `readable`: it would create a closure for every call with options.
  try {
    return checkedCopy(given, names, path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function checkedCopy(given: object, names: object, path: string): object {
  requirePlain(given, path);
  const options: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    requireKnown(name, names, path);
    const value: unknown = given[name];
    checkField(value, name, names, path);
    options[name] = value;
  }
  return options;
}

/** Refuses an object that has a key outside `names`, or a value of the wrong kind. */
export function refuseUnknown(options: object, names: object, path: string): void {
  for (const name of Object.keys(options)) {
    requireKnown(name, names, path);
    checkField(Reflect.get(options, name), name, names, path);
  }
}

function checkField(value: unknown, name: string, names: object, path: string): void {
  const kind: unknown = Reflect.get(names, name);
  if (kind !== true && value !== undefined) checkKind(value, kind, within(path, name));
}

/** A copy of a plain object; anything else is INVALID_ARGUMENT. */
export function plainCopy<Given>(given: Given, path: string): Given & Fields {
  return readable(path, () => {
    requirePlain(given, path);
    return { ...given };
  });
}

function requirePlain<Given>(given: Given, path: string): asserts given is Given & Fields {
  if (isRecord(given) && isPlainObject(given)) return;
  const kind = isRecord(given) ? "an instance of a class" : kindOf(given);
  throw invalid(path, `must be a plain object, not ${kind}.`);
}

function requireKnown(name: string, names: object, path: string): void {
  if (Object.hasOwn(names, name)) return;
  const known = Object.keys(names);
  const listed = known.length === 0 ? "There are none." : `Known: ${known.join(", ")}.`;
  throw invalid(within(path, name), `is not known.${suggestion(name, known) || ` ${listed}`}`);
}
