import { type Fields, isRecord } from "../json/record.js";
import { invalid, readable } from "./invalid-argument.js";
import { kindOf, shown } from "./shown-value.js";

export function requireRecord(value: unknown, path: string): Fields {
  if (isRecord(value)) return value;
  throw invalid(path, `must be an object, not ${kindOf(value)}.`);
}

export function requireArray(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(path, `must be an array, not ${kindOf(value)}.`);
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

/** Milliseconds since the epoch, from a number or a `Date`. */
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
