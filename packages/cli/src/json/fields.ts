import type { JsonObject } from "@sessions/protocol";

/** The value if it is a JSON object, or `undefined`. */
export function objectIn(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a non-empty string, or `undefined`. */
export function textField(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
