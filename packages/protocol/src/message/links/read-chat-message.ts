import { type Fields, isRecord } from "../../json/record.js";
import { objectsAt, stringAt } from "../read-fields.js";
import { addId, type LinkCollector } from "./message-links.js";

/**
 * Reads the fields of an OpenAI chat message: `tool_calls`, `tool_call_id`, and the older `function_call`.
 */
export function readChatMessage(message: Fields, links: LinkCollector): void {
  for (const call of objectsAt(message, "tool_calls")) addId(links.calls, stringAt(call, "id"));
  addId(links.results, stringAt(message, "tool_call_id"));
  // `function_call` has no id: the function's name links the answer to its call.
  const { function_call: call } = message;
  if (isRecord(call)) addId(links.calls, stringAt(call, "name"));
  if (message.role === "function") addId(links.results, stringAt(message, "name"));
}
