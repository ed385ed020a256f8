import type { AssistantChatMessage, ChatMessage, ChatToolCall, ToolChatMessage } from "./chat-message.js";
import { errorText } from "./tool-output.js";

const NO_RESULT = errorText("There is no result: the turn ended before the tool did.");

/**
 * Orders messages as providers require: right after each message with calls, one result for each call. A call without a result gets
 * an error result; a result without a call is dropped; a call id that occurs again in the conversation is renamed.
 */
export function answeredCalls(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const results = resultsByCall(messages);
  const ids = new UniqueIds();
  return messages.flatMap((message): readonly ChatMessage[] => {
    if (message.role === "tool") return [];
    if (message.role !== "assistant" || message.tool_calls === undefined) return [message];
    return answered(message, message.tool_calls, results, ids);
  });
}

/** A result belongs to the nearest earlier call with its id. The first result of a call counts. */
function resultsByCall(messages: readonly ChatMessage[]): ReadonlyMap<ChatToolCall, ToolChatMessage> {
  const open = new Map<string, ChatToolCall>();
  const results = new Map<ChatToolCall, ToolChatMessage>();
  for (const message of messages) {
    if (message.role === "assistant") for (const call of message.tool_calls ?? []) open.set(call.id, call);
    if (message.role !== "tool") continue;
    const call = open.get(message.tool_call_id);
    if (call !== undefined && !results.has(call)) results.set(call, message);
  }
  return results;
}

function answered(
  message: AssistantChatMessage,
  calls: readonly ChatToolCall[],
  results: ReadonlyMap<ChatToolCall, ToolChatMessage>,
  ids: UniqueIds,
): readonly ChatMessage[] {
  const renamed = calls.map((call) => ({ ...call, id: ids.take(call.id) }));
  const answers = calls.map((call, index): ToolChatMessage => {
    const content = results.get(call)?.content ?? NO_RESULT;
    return { role: "tool", tool_call_id: renamed[index]?.id ?? call.id, content };
  });
  return [{ ...message, tool_calls: renamed }, ...answers];
}

/** Renames ids that occur again. The same conversation gets the same ids each time. */
class UniqueIds {
  readonly #taken = new Set<string>();

  take(id: string): string {
    let unique = id;
    for (let count = 2; this.#taken.has(unique); count++) unique = `${id}_${count}`;
    this.#taken.add(unique);
    return unique;
  }
}
