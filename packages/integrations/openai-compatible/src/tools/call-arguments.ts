import type { Json, JsonObject } from "@sessions/protocol";
import { errorMessage, isFields } from "@sessions/turn-runner";

/** The arguments of a call: a JSON object, or what the model sent instead and what is wrong with it. */
export type ParsedArguments =
  | { readonly input: JsonObject; readonly problem?: undefined }
  | { readonly input: Json; readonly problem: string };

/** Deeper nesting can be neither stored nor sent. */
const MAX_DEPTH = 400;

/** Parses the arguments of a call. An empty text is an empty object: models call tools without parameters like that. */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === "") return { input: {} };
  try {
    const input: Json = JSON.parse(text);
    if (isDeeperThan(MAX_DEPTH, input)) return { input: text, problem: "this is nested too deeply" };
    return isObject(input) ? { input } : { input, problem: "this is no JSON object" };
  } catch (error) {
    return { input: text, problem: errorMessage(error) };
  }
}

/**
 * Arguments as they are sent back to the model. Many endpoints parse them again and fail on anything but an object, so other values
 * are wrapped in one.
 */
export function argumentsText(input: unknown): string {
  return JSON.stringify(isFields(input) ? input : { malformed_arguments: input });
}

// Level by level instead of recursively: arguments may be nested deeper than the stack allows.
function isDeeperThan(depth: number, root: Json): boolean {
  let level: readonly Json[] = [root];
  for (let below = 0; below < depth && level.length > 0; below++) level = level.flatMap(childrenOf);
  return level.length > 0;
}

function childrenOf(json: Json): readonly Json[] {
  return typeof json === "object" && json !== null ? Object.values(json) : [];
}

function isObject(json: Json): json is JsonObject {
  return isFields(json);
}
