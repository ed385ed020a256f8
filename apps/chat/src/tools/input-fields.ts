import type { Json, JsonObject } from "@sessions/json-file";

/** The fields of a tool input; none if it is no object. */
export function inputFields(input: Json): Partial<JsonObject> {
  return typeof input === "object" && input !== null && !isList(input) ? input : {};
}

const isList = (input: object): input is readonly Json[] => Array.isArray(input);
