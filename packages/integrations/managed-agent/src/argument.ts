import { SessionError } from "@sessions/protocol";

/** Refuses an argument. `path` leads to it, `rule` says what it must be. */
export function invalid(path: string, rule: string): Error {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${rule}`, { path });
}

/** Whether a value is an object with fields: not null, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function requireRecord(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
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
