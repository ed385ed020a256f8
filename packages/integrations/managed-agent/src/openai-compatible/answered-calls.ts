import type { AssistantChatMessage, ChatMessage, ChatToolCall, ToolChatMessage } from "./chat-message.js";
import { errorText } from "./tool-output.js";

const NO_RESULT = errorText("There is no result: the turn ended before the tool did.");

/**
 * Puts the messages into the order that providers insist on: right after each message with calls, one result for each
 * call. A call without a result gets an error as one; a result without a call is left out; an id that comes a second time
 * in the conversation gets another name.
 */
export function answeredCalls(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const results = resultsByCall(messages);
  const names = new Names();
  return messages.flatMap((message): readonly ChatMessage[] => {
    if (message.role === "tool") return [];
    if (message.role !== "assistant" || message.tool_calls === undefined) return [message];
    return answered(message, message.tool_calls, results, names);
  });
}

/** A result belongs to the nearest call with its id before it. The first one counts. */
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
  names: Names,
): readonly ChatMessage[] {
  const renamed = calls.map((call) => ({ ...call, id: names.take(call.id) }));
  const answers = calls.map((call, index): ToolChatMessage => {
    const content = results.get(call)?.content ?? NO_RESULT;
    return { role: "tool", tool_call_id: renamed[index]?.id ?? call.id, content };
  });
  return [{ ...message, tool_calls: renamed }, ...answers];
}

/** Names that were given, each once. The same conversation gets the same names each time. */
class Names {
  readonly #taken = new Set<string>();

  take(id: string): string {
    let name = id;
    for (let count = 2; this.#taken.has(name); count++) name = `${id}_${count}`;
    this.#taken.add(name);
    return name;
  }
}
