import type { Usage } from "../agent-event.js";
import { type Fields, field, fieldsAt, isFields } from "./json-fields.js";

/** The usage that a chunk tells; `undefined` if it tells none. */
export function usageOf(chunk: Fields): Usage | undefined {
  const { usage } = chunk;
  if (!isFields(usage)) return undefined;
  const cached = countAt(fieldsAt(usage, "prompt_tokens_details"), "cached_tokens");
  return {
    ...field("inputTokens", countAt(usage, "prompt_tokens")),
    ...field("outputTokens", countAt(usage, "completion_tokens")),
    // DeepSeek has a name of its own for it.
    ...field("cachedInputTokens", cached ?? countAt(usage, "prompt_cache_hit_tokens")),
    ...field("reasoningTokens", countAt(fieldsAt(usage, "completion_tokens_details"), "reasoning_tokens")),
  };
}

/** The session's counters are whole numbers. */
function countAt(fields: Fields, key: string): number | undefined {
  const count = fields[key];
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
