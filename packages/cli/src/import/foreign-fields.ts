import type { Json, JsonObject } from "@sessions/protocol";

/** Parses a time: ISO text, or seconds or milliseconds since the epoch. Returns whole milliseconds. */
export function timeIn(value: unknown): number | undefined {
  if (typeof value === "string") {
    const time = Date.parse(value);
    return Number.isNaN(time) || time < 0 ? undefined : time;
  }
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return undefined;
  return Math.round(value < 100_000_000_000 ? value * 1000 : value);
}

/** Removes nulls, because in a metadata patch `null` removes a key. */
export function withoutNulls(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  const kept = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(kept.map(([key, value]) => [key, value ?? null]));
}
