import { type Message, toolLinksOf } from "@sessions/protocol";

/**
 * Finds what a provider would refuse in a history: a tool call that its result does not follow at once, a result without a call, an
 * empty message, a partial message.
 */
export function historyProblems(messages: readonly Message[]): readonly string[] {
  const found: string[] = [];
  let open = new Set<string>();
  for (const message of messages) {
    const { calls, results } = toolLinksOf(message);
    for (const id of results)
      if (!open.delete(id)) found.push(`${message.id}: a result without a call, ${id}`);
    if (results.length === 0 && open.size > 0)
      found.push(`${message.id}: ${[...open]} not answered before it`);
    if (message.status === "partial") found.push(`${message.id}: still being written`);
    if (message.content === "" || (Array.isArray(message.content) && message.content.length === 0))
      found.push(`${message.id}: empty`);
    open = new Set([...(results.length === 0 ? [] : open), ...calls]);
  }
  return open.size === 0 ? found : [...found, `${[...open]} never answered`];
}

/** The text of all answers, in order. */
export function answerTextOf(messages: readonly Message[]): string {
  return messages
    .filter((message) => message.role === "assistant")
    .map((message) => textIn(message))
    .join("");
}

function textIn({ content }: Message): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? String(part["text"]) : "")).join("");
}
