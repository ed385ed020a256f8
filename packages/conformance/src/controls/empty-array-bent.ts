import type { Json, JsonObject } from "@sessions/protocol";
import type { Control } from "./control.js";
import { withMessages } from "./rewritten-messages.js";

/** Lets a script language decode and encode what it stores: there an empty list and an empty table are one thing. */
export const emptyArrayBent: Control = {
  name: "empty array bent",
  caughtBy: "fidelity",
  breakPlace: (place) =>
    withMessages(place, (message) =>
      message.metadata === undefined ? message : { ...message, metadata: bentObject(message.metadata) },
    ),
};

function bentObject(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, bent(value)]));
}

function bent(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.length === 0 ? {} : value.map(bent);
  return bentObject(value);
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
