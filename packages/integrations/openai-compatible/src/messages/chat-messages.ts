import { textOf } from "@sessions/protocol";
import { stringAt } from "@sessions/turn-runner";
import { optionalField } from "../optional-field.js";
import type { Settings } from "../settings.js";
import { assistantMessage } from "./assistant-message.js";
import type { ChatMessage, Sendable } from "./chat-message.js";
import { toolMessages } from "./tool-messages.js";
import { userContent } from "./user-content.js";

/**
 * A message of the session as chat messages: AI SDK ModelMessages and OpenAI chat messages in full, others by their text. Empty
 * messages and messages of other roles are not sent.
 */
export function chatMessages(
  message: Sendable,
  reasoningField: Settings["sendReasoningAs"],
): readonly ChatMessage[] {
  switch (message.role) {
    case "system":
    case "developer":
      return systemMessage(message.role, textOf(message));
    case "user":
      return userMessage(message);
    case "assistant":
      // Some formats keep the result in the message that makes the call.
      return [...assistantMessage(message, reasoningField), ...toolMessages(message)];
    case "tool":
      return toolMessages(message);
    default:
      return [];
  }
}

function systemMessage(role: "system" | "developer", content: string): readonly ChatMessage[] {
  return content === "" ? [] : [{ role, content }];
}

function userMessage(message: Sendable): readonly ChatMessage[] {
  const content = userContent(message);
  const name = stringAt(message, "name");
  return content.length === 0 ? [] : [{ role: "user", content, ...optionalField("name", acceptable(name)) }];
}

/** Endpoints refuse the whole request if a name is not allowed. */
function acceptable(name: string | undefined): string | undefined {
  return name !== undefined && /^[\w-]{1,64}$/.test(name) ? name : undefined;
}
