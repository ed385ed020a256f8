import type { Fields } from "../../json/record.js";
import type { MessageInput } from "../message-input.js";
import { objectsAt, stringAt } from "../read-fields.js";
import { unwrapMessage } from "../unwrap-message.js";
import { textOfPart } from "./text-of-part.js";

/**
 * The human text of a message: what a person wrote, or reads.
 *
 * Knows string content, the AI SDK's ModelMessage content and UIMessage `parts`, OpenAI chat messages, OpenAI
 * Responses and Agents items (at the top or whole under `item`), and Anthropic blocks. Reasoning, tool inputs
 * and structured tool outputs are not text; the string content of a tool message is. A shape that is not
 * known gives "".
 *
 * Parts are joined with a newline, so that the last word of one and the first of the next stay two words for
 * a search. Where a message carries its text twice (`content` and `parts`), it is returned once.
 *
 * @example
 * ```ts
 * const question = [{ type: "text", text: "Hello." }, { type: "text", text: "Who are you?" }];
 * textOf({ role: "user", content: question }); // "Hello.\nWho are you?"
 * ```
 */
export function textOf(message: MessageInput): string {
  for (const body of unwrapMessage(message)) {
    const text = textOfBody(body);
    if (text !== "") return text;
  }
  return "";
}

function textOfBody(body: Fields): string {
  // The Agents SDK writes the summary of a reasoning item as `input_text`, like something a user said.
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
