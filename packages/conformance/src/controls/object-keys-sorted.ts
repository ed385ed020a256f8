import type { JsonObject } from "@sessions/protocol";
import type { Control } from "./control.js";
import { withMetadata } from "./rewritten-messages.js";

/** Stores objects with sorted keys. */
export const objectKeysSorted: Control = {
  name: "object keys sorted",
  caughtBy: "fidelity",
  breakPlace: (place) => withMetadata(place, sorted),
};

function sorted(object: JsonObject): JsonObject {
  const entries = Object.entries(object).map(
    ([key, value]) => [key, isObject(value) ? sorted(value) : value] as const,
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
