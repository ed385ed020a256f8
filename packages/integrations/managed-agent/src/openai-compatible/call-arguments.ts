import type { Json, JsonObject } from "@sessions/protocol";
import { isFields } from "./json-fields.js";
import { thrownText } from "./thrown-text.js";

/** Arguments as the model sent them: an object, or what it sent instead and why that is none. */
export type ParsedArguments =
  | { readonly input: JsonObject; readonly problem?: undefined }
  | { readonly input: Json; readonly problem: string };

/** What is nested more deeply can be neither stored nor sent. */
const MAX_DEPTH = 400;

/** Reads the arguments of a call. None at all are an empty object: so models call tools without parameters. */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === "") return { input: {} };
  try {
    const input: Json = JSON.parse(text);
    if (isDeeperThan(MAX_DEPTH, input)) return { input: text, problem: "this is nested too deeply" };
    return isObject(input) ? { input } : { input, problem: "this is no JSON object" };
  } catch (error) {
    return { input: text, problem: thrownText(error) };
  }
}

/**
 * Arguments as they are sent back to the model. Many endpoints take them apart again, and fail on anything but an
 * object; so what the model sent instead of one is wrapped into one.
 */
export function argumentsText(input: unknown): string {
  return JSON.stringify(isFields(input) ? input : { malformed_arguments: input });
}

// Level by level and not by recursion: arguments may be nested deeper than the stack is.
function isDeeperThan(depth: number, root: Json): boolean {
  let level: readonly Json[] = [root];
  for (let below = 0; below < depth && level.length > 0; below++) level = level.flatMap(inside);
  return level.length > 0;
}

function inside(json: Json): readonly Json[] {
  return typeof json === "object" && json !== null ? Object.values(json) : [];
}

function isObject(json: Json): json is JsonObject {
  return isFields(json);
}
