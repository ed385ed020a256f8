import { type Fields, isRecord } from "../../json/record.js";
import { stringAt } from "../read-fields.js";
import { addId, type LinkCollector } from "./message-links.js";

/**
 * Reads an item of the OpenAI Responses API (`call_id`) or Agents SDK (`callId`).
 *
 * One rule covers functions, computers, shells, patches, custom tools and future ones: `<x>_call` is answered by
 * `<x>_call_output` or `<x>_call_result` (`program` by `program_output`, `tool_search_call` by `tool_search_output`). A
 * hosted call such as `web_search_call` has no call id and no separate output, so it has no links.
 */
export function readResponseItem(item: Fields, links: LinkCollector): void {
  const type = stringAt(item, "type");
  if (type === undefined) return;
  if (type === "reasoning") links.reasoning = true;
  if (type.endsWith("_call") || type === "program") addId(links.calls, stringAt(item, "callId", "call_id"));
  if (type.endsWith("_output") || type.endsWith("_result")) addId(links.results, answeredCall(item));
  readApproval(item, links);
}

function answeredCall(item: Fields): string | undefined {
  // The only output whose call id may also be at `id`.
  const keys = item.type === "local_shell_call_output" ? ["id"] : [];
  return stringAt(item, "callId", "call_id", ...keys);
}

// The Agents SDK wraps the API's item: its type is `hosted_tool_call`, and the API's fields are in `providerData`.
function readApproval(item: Fields, links: LinkCollector): void {
  const data = isRecord(item.providerData) ? item.providerData : {};
  const names = [item.type, item.name, data.type];
  if (names.includes("mcp_approval_request"))
    addId(links.asked, stringAt(data, "id") ?? stringAt(item, "id"));
  addId(links.decided, stringAt(item, "approval_request_id") ?? stringAt(data, "approval_request_id"));
}
