import { type ContentPart, type Message, textOf } from "@sessions/protocol";
import type { UIMessage } from "ai";
import { isFields } from "../pick-fields.js";

/**
 * Messages that no chat wrote, such as a managed agent's, as a page can show them: text, reasoning, files, and each call
 * with its result. A tool's answer has no message of its own there.
 */
export function uiMessageOfOther(
  message: Message,
  results: ReadonlyMap<string, ContentPart>,
): UIMessage | undefined {
  const { id, role } = message;
  if (role === "tool") return undefined;
  const parts = partsOf(message).flatMap((part) => uiPart(part, results));
  const kind = role === "user" || role === "assistant" ? role : "system";
  return { id, role: kind, parts };
}

/** The answers of tools, by their calls. */
export function resultsIn(messages: readonly Message[]): ReadonlyMap<string, ContentPart> {
  const parts = messages.filter(({ role }) => role === "tool").flatMap(partsOf);
  return new Map(
    parts.filter(({ type }) => type === "tool-result").map((part) => [String(part["toolCallId"]), part]),
  );
}

function partsOf(message: Message): readonly ContentPart[] {
  const { content } = message;
  return Array.isArray(content) ? content : [{ type: "text", text: textOf(message) }];
}

type Part = UIMessage["parts"][number];

function uiPart(part: ContentPart, results: ReadonlyMap<string, ContentPart>): Part[] {
  const text = typeof part["text"] === "string" ? part["text"] : "";
  const { mediaType, data, url } = part;
  switch (part.type) {
    case "text":
    case "reasoning":
      return text === "" ? [] : [{ type: part.type, text, state: "done" }];
    case "tool-call":
      return [call(part, results.get(String(part["toolCallId"])))];
    case "file":
      return [{ type: "file", mediaType: String(mediaType), url: String(url ?? data) }];
    default:
      return [];
  }
}

function call(part: ContentPart, result: ContentPart | undefined): Part {
  const { toolCallId, toolName, input = {} } = part;
  const known = {
    type: "dynamic-tool",
    toolCallId: String(toolCallId),
    toolName: String(toolName),
    input,
  } as const;
  if (result === undefined) return { ...known, state: "input-available" };
  const told: unknown = result["output"];
  const [kind, output] = isFields(told) ? [String(told["type"]), told["value"]] : ["json", told];
  return kind.startsWith("error-")
    ? {
        ...known,
        state: "output-error",
        errorText: typeof output === "string" ? output : JSON.stringify(output),
      }
    : { ...known, state: "output-available", output };
}
