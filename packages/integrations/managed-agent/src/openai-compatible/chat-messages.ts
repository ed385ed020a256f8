import { textOf } from "@sessions/protocol";
import { assistantMessage } from "./assistant-message.js";
import type { ChatMessage, Sendable } from "./chat-message.js";
import { field, stringAt } from "./json-fields.js";
import type { Settings } from "./settings.js";
import { toolMessages } from "./tool-messages.js";
import { userContent } from "./user-content.js";

/**
 * A message of the session as chat messages: AI SDK ModelMessages and OpenAI chat messages with all that they hold,
 * others by their text. One with nothing to say is not sent, nor one of a role that models do not have.
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
      // Some answer a call in the message that makes it.
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
  return content.length === 0 ? [] : [{ role: "user", content, ...field("name", acceptable(name)) }];
}

/** A name that endpoints do not take would cost the whole request. */
function acceptable(name: string | undefined): string | undefined {
  return name !== undefined && /^[\w-]{1,64}$/.test(name) ? name : undefined;
}
