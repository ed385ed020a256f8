import type { Fields } from "../../json/record.js";
import { stringAt } from "../read-fields.js";
import { addId, type LinkCollector } from "./message-links.js";
import { readToolCall } from "./read-model-part.js";

/**
 * Reads a part of an AI SDK UIMessage. A call and its result are one part there: `tool-<name>` or `dynamic-tool`, answered
 * when its state is an output (`output-available`, `output-error`, `output-denied`).
 */
export function readUiPart(part: Fields, links: LinkCollector): void {
  const type = stringAt(part, "type");
  if (type === undefined || !(type.startsWith("tool-") || type === "dynamic-tool")) return;
  readToolCall(part, links);
  if (stringAt(part, "state")?.startsWith("output-")) addId(links.results, stringAt(part, "toolCallId"));
}
