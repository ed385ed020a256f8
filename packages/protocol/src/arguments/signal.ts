import { invalid, readable } from "./invalid-argument.js";

/** An `AbortSignal` of any realm or polyfill: it must have the members that this package uses. */
export function checkSignal(signal: unknown, path = "options.signal"): void {
  if (signal === undefined || readable(path, () => isSignal(signal))) return;
  throw invalid(path, "must be an AbortSignal.");
}

function isSignal(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    "aborted" in value &&
    typeof value.aborted === "boolean" &&
    hasMethod(value, "throwIfAborted") &&
    hasMethod(value, "addEventListener") &&
    hasMethod(value, "removeEventListener")
  );
}

function hasMethod(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === "function";
}
