import type { Fields } from "../../json/record.js";
import { stringAt } from "../read-fields.js";
import { addId, type LinkCollector } from "./message-links.js";

/**
 * Reads a content block of an Anthropic message: `tool_use`, `server_tool_use`, `tool_result`,
 * `web_search_tool_result`…
 */
export function readAnthropicBlock(block: Fields, links: LinkCollector): void {
  const type = stringAt(block, "type");
  if (type?.endsWith("tool_use")) readUse(block, links);
  if (type?.endsWith("tool_result")) addId(links.results, stringAt(block, "tool_use_id"));
}

function readUse(block: Fields, links: LinkCollector): void {
  const id = stringAt(block, "id");
  addId(links.calls, id);
  // `server_tool_use` and `mcp_tool_use` run at the provider: no caller can answer them.
  if (block.type !== "tool_use") addId(links.providerRun, id);
}
