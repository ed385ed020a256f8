import { invalid } from "@sessions/turn-runner";

/** A platform's id as text. A number and its digits are the same id: platforms deliver either. */
export function platformId(value: unknown, path: string): string {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string" && value !== "" && value.isWellFormed()) return value;
  throw invalid(path, "must be a whole number, or well-formed text that is not empty.");
}
