import { invalid } from "./invalid-argument.js";
import { requireBoolean, requireOneOf } from "./require-value.js";
import { kindOf, shown } from "./shown-value.js";
import { checkSignal } from "./signal.js";

/** What an option may be: `true` for anything (its own check comes later), a kind, or one of a list of strings. */
export type OptionKind =
  | true
  | "text"
  | "boolean"
  | "count"
  | "function"
  | "object"
  | "signal"
  | readonly string[];

/** Checks an option that is present. */
export function checkKind(value: unknown, kind: unknown, path: string): void {
  if (Array.isArray(kind)) requireOneOf(value, kind, path);
  else if (kind === "boolean") requireBoolean(value, path);
  else if (kind === "text") requireText(value, path);
  else if (kind === "count") requireNumber(value, path);
  else if (kind === "signal") checkSignal(value, path);
  else if (kind === "function" && typeof value !== "function")
    throw invalid(path, `must be a function, not ${kindOf(value)}.`);
  else if (kind === "object" && (typeof value !== "object" || value === null))
    throw invalid(path, `must be an object, not ${kindOf(value)}.`);
}

function requireText(value: unknown, path: string): void {
  if (typeof value !== "string" || value === "")
    throw invalid(path, `must be a string that is not empty, not ${shown(value)}.`);
}

/** A whole number, or infinity for "unlimited". */
function requireNumber(value: unknown, path: string): void {
  const fits = Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY;
  if (!fits || Number(value) < 0)
    throw invalid(path, `must be a whole number of at least 0, not ${shown(value)}.`);
}
