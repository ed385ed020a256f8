import { textOf } from "@sessions/protocol";
import { type Fields, objectsAt, stringAt } from "@sessions/turn-runner";
import type { Sendable, ToolChatMessage } from "./chat-message.js";
import { resultText } from "./tool-output.js";

/** The tool results of a message: in its parts, or the message itself in OpenAI's format. */
export function toolMessages(message: Sendable): readonly ToolChatMessage[] {
  const id = stringAt(message, "tool_call_id");
  const inParts = objectsAt(message, "content").flatMap(resultPart);
  return id === undefined
    ? inParts
    : [...inParts, { role: "tool", tool_call_id: id, content: textOf(message) }];
}

function resultPart(part: Fields): readonly ToolChatMessage[] {
  const id = stringAt(part, "toolCallId");
  if (id === undefined || part["type"] !== "tool-result") return [];
  return [{ role: "tool", tool_call_id: id, content: resultText(part) }];
}
