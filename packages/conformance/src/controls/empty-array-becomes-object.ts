import type { Json, JsonObject } from "@sessions/protocol";
import type { Control } from "./control.js";
import { withMetadata } from "./rewritten-messages.js";

/** Encodes JSON in a language that does not distinguish an empty array from an empty object, such as Lua. */
export const emptyArrayBecomesObject: Control = {
  name: "empty arrays that become objects",
  caughtBy: "fidelity",
  breakPlace: (place) => withMetadata(place, convertedObject),
};

function convertedObject(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, converted(value)]));
}

function converted(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.length === 0 ? {} : value.map(converted);
  return convertedObject(value);
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
