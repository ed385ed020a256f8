import type { Json } from "@sessions/protocol";
import { type Fields, isFields, objectsAt, stringAt } from "./json-fields.js";

/** What the model reads where a tool failed: the same words in the turn itself and from the history later. */
export function errorText(output: unknown): string {
  return `Error: ${plainText(output)}`;
}

/** A tool's output as the model reads it. */
function plainText(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output ?? null);
}

/** The text of a stored `tool-result` part: its `output` has a type and a value; older ones have a plain `result`. */
export function resultText(part: Fields): string {
  const { output } = part;
  if (!isFields(output)) return plainText(output ?? part["result"]);
  const { value } = output;
  switch (output["type"]) {
    case "text":
    case "json":
      return plainText(value);
    case "error-text":
    case "error-json":
      return errorText(value);
    case "execution-denied":
      return errorText(stringAt(output, "reason") ?? "The call was not allowed.");
    case "content":
      return objectsAt(output, "value").map(contentText).join("\n");
    default:
      return plainText(output);
  }
}

/** Results are text here: a picture in one is only mentioned. */
function contentText(part: Fields): string {
  return (
    stringAt(part, "text") ??
    `[${stringAt(part, "type") ?? "part"}, ${stringAt(part, "mediaType") ?? "data"}]`
  );
}

/** The part that tells of a result, as it is stored. */
export function storedOutput(output: Json, isError: boolean): Json {
  const kind = typeof output === "string" ? "text" : "json";
  return { type: isError ? `error-${kind}` : kind, value: output };
}
