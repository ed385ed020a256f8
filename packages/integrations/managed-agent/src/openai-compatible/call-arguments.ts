import type { Json, JsonObject } from "@sessions/protocol";
import { isFields } from "./json-fields.js";

/** Arguments as the model sent them: an object, or what it sent instead and why that is none. */
export type ParsedArguments =
  | { readonly input: JsonObject; readonly problem?: undefined }
  | { readonly input: Json; readonly problem: string };

/** Reads the arguments of a call. None at all are an empty object: so models call tools without parameters. */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === "") return { input: {} };
  try {
    const input: Json = JSON.parse(text);
    return isObject(input) ? { input } : { input, problem: "this is no JSON object" };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { input: text, problem: error.message };
  }
}

/**
 * Arguments as they are sent back to the model. Many endpoints take them apart again, and fail on anything but an
 * object; so what the model sent instead of one is wrapped into one.
 */
export function argumentsText(input: unknown): string {
  return JSON.stringify(isFields(input) ? input : { malformed_arguments: input });
}

function isObject(json: Json): json is JsonObject {
  return isFields(json);
}
