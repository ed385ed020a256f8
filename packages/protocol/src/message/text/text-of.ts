import type { Fields } from "../../json/record.js";
import type { MessageInput } from "../message-input.js";
import { messageLayers } from "../message-layers.js";
import { objectsAt, stringAt } from "../read-fields.js";
import { textOfPart } from "./text-of-part.js";

/**
 * The human text of a message: what a person wrote or reads.
 *
 * Reads string content, the AI SDK's ModelMessage content and UIMessage `parts`, OpenAI chat messages, OpenAI Responses and
 * Agents items (at the top or whole under `item`), and Anthropic blocks. Reasoning, tool inputs and structured tool outputs
 * are not text. The string content of a tool message is. A message of an unknown shape has the text "".
 *
 * Parts are joined with a newline, so that a search does not join the last word of one with the first of the next. Text
 * that a message has twice (in `content` and in `parts`) is returned once.
 *
 * @example
 * ```ts
 * const question = [{ type: "text", text: "Hello." }, { type: "text", text: "Who are you?" }];
 * textOf({ role: "user", content: question }); // "Hello.\nWho are you?"
 * ```
 */
export function textOf(message: MessageInput): string {
  for (const body of messageLayers(message)) {
    const text = textOfBody(body);
    if (text !== "") return text;
  }
  return "";
}

function textOfBody(body: Fields): string {
  // The Agents SDK writes the summary of a reasoning item as `input_text`, as if a user had said it.
  if (body.type === "reasoning") return "";
  return stringAt(body, "content") ?? (textOfParts(body) || (stringAt(body, "refusal") ?? ""));
}

function textOfParts(body: Fields): string {
  return joinTexts(objectsAt(body, "content")) || joinTexts(objectsAt(body, "parts"));
}

function joinTexts(parts: readonly Fields[]): string {
  return parts
    .map(textOfPart)
    .filter((text) => text !== undefined)
    .join("\n");
}
