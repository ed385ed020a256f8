import { type Fields, fieldsAt, isFields, type Usage } from "@sessions/turn-runner";
import { optionalField } from "../optional-field.js";

/** The usage in a chunk; `undefined` if it has none. */
export function chunkUsage(chunk: Fields): Usage | undefined {
  const { usage } = chunk;
  if (!isFields(usage)) return undefined;
  const cached = countAt(fieldsAt(usage, "prompt_tokens_details"), "cached_tokens");
  const reasoning = countAt(fieldsAt(usage, "completion_tokens_details"), "reasoning_tokens");
  return {
    ...optionalField("inputTokens", countAt(usage, "prompt_tokens")),
    ...optionalField("outputTokens", countAt(usage, "completion_tokens")),
    // DeepSeek uses another name.
    ...optionalField("cachedInputTokens", cached ?? countAt(usage, "prompt_cache_hit_tokens")),
    ...optionalField("reasoningTokens", reasoning),
  };
}

/** The session's counters are whole numbers. */
function countAt(fields: Fields, key: string): number | undefined {
  const count = fields[key];
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
