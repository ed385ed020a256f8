import type { MessageInput } from "../message-input.js";
import { NO_LINKS, readMessageLinks } from "./read-message-links.js";

/** The tool calls that a message makes and answers, by id, each once. */
export interface ToolLinks {
  /** Ids of the calls that the message makes. */
  readonly calls: readonly string[];
  /** Ids of the calls that the message answers. */
  readonly results: readonly string[];
}

const NO_TOOL_LINKS: ToolLinks = Object.freeze({ calls: Object.freeze([]), results: Object.freeze([]) });

/**
 * The tool calls that a message makes and answers.
 *
 * Reads the AI SDK's ModelMessage content and UIMessage `parts` (a part with an output is a call and its
 * answer at once), OpenAI chat (`tool_calls`, `tool_call_id`, and the older `function_call`, whose id is the
 * function's name), OpenAI Responses and Agents items (at the top or whole under `item`), and Anthropic
 * blocks. A call without an id has no links, nor has an unknown shape. Approvals are neither calls nor
 * answers.
 *
 * @example
 * ```ts
 * toolLinksOf({ role: "tool", tool_call_id: "call_1", content: "22" }); // { calls: [], results: ["call_1"] }
 * ```
 */
export function toolLinksOf(message: MessageInput): ToolLinks {
  const links = readMessageLinks(message);
  return links === NO_LINKS ? NO_TOOL_LINKS : { calls: unique(links.calls), results: unique(links.results) };
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
