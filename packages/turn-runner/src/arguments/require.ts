import { type Fields, isFields } from "./fields.js";
import { invalid } from "./invalid.js";

export function requireFields(value: unknown, path: string): Fields {
  if (isFields(value)) return value;
  throw invalid(path, "must be an object.");
}

/** A string that is not empty. */
export function requireName(value: unknown, path: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw invalid(path, "must be a string that is not empty.");
}

export function requireFunction(value: unknown, path: string): void {
  if (typeof value !== "function") throw invalid(path, "must be a function.");
}

/** A whole number of at least `least`. */
export function requireCount(value: unknown, path: string, least: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw invalid(
    path,
    `must be a whole number of at least ${least}, not ${typeof value === "object" ? "an object" : String(value)}.`,
  );
}
