import type { Fields } from "../../json/record.js";
import { stringAt } from "../read-fields.js";
import { addId, type LinkCollector } from "./message-links.js";

/** Reads a content part of an AI SDK ModelMessage. */
export function readModelPart(part: Fields, links: LinkCollector): void {
  switch (part.type) {
    case "tool-call":
      readToolCall(part, links);
      break;
    case "tool-result":
    case "tool-error":
      addId(links.results, stringAt(part, "toolCallId"));
      break;
    case "tool-approval-request":
      addId(links.asked, stringAt(part, "approvalId"));
      break;
    case "tool-approval-response":
      // It contains the id of the approval only. Without the request, the AI SDK refuses the whole history.
      addId(links.decided, stringAt(part, "approvalId"));
      break;
  }
}

/** Reads the call in a part that has a `toolCallId`. */
export function readToolCall(part: Fields, links: LinkCollector): void {
  const id = stringAt(part, "toolCallId");
  addId(links.calls, id);
  if (part.providerExecuted === true) addId(links.providerRun, id);
}
