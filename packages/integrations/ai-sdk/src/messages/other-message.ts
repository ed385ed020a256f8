import { type ContentPart, type Message, textOf } from "@sessions/protocol";
import { isFields } from "@sessions/turn-runner";
import type { UIMessage } from "ai";
import type { UIPart } from "./ui-part.js";

/**
 * A message that no chat wrote, such as one of a managed agent, as a UIMessage: text, reasoning, files, and each call with its result.
 * A tool message has no UIMessage of its own.
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

/** The tool results in messages, by the ids of their calls. */
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

function uiPart(part: ContentPart, results: ReadonlyMap<string, ContentPart>): UIPart[] {
  const text = typeof part["text"] === "string" ? part["text"] : "";
  const { mediaType, data, url } = part;
  switch (part.type) {
    case "text":
    case "reasoning":
      return text === "" ? [] : [{ type: part.type, text, state: "done" }];
    case "tool-call":
      return [toolPart(part, results.get(String(part["toolCallId"])))];
    case "file":
      return [{ type: "file", mediaType: String(mediaType), url: String(url ?? data) }];
    default:
      return [];
  }
}

function toolPart(part: ContentPart, result: ContentPart | undefined): UIPart {
  const { toolCallId, toolName, input = {} } = part;
  const call = {
    type: "dynamic-tool",
    toolCallId: String(toolCallId),
    toolName: String(toolName),
    input,
  } as const;
  if (result === undefined) return { ...call, state: "input-available" };
  const stored: unknown = result["output"];
  const [kind, output] = isFields(stored) ? [String(stored["type"]), stored["value"]] : ["json", stored];
  if (!kind.startsWith("error-")) return { ...call, state: "output-available", output };
  const errorText = typeof output === "string" ? output : JSON.stringify(output);
  return { ...call, state: "output-error", errorText };
}
