import { type Fields, isFields, objectsAt, stringAt } from "@sessions/turn-runner";

/** The text of an error result for the model. */
export function errorText(output: unknown): string {
  return `Error: ${plainText(output)}`;
}

/** The text of a tool's output for the model. */
function plainText(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output ?? null);
}

/** The text of a stored `tool-result` part: its `output` has a type and a value; older parts have a plain `result`. */
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

/** Results are text: a picture is only mentioned. */
function contentText(part: Fields): string {
  return (
    stringAt(part, "text") ??
    `[${stringAt(part, "type") ?? "part"}, ${stringAt(part, "mediaType") ?? "data"}]`
  );
}
