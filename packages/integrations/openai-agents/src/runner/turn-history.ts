import type { AgentInputItem } from "@openai/agents";
import { type Message, resultsAfterCalls, toolLinksOf } from "@sessions/protocol";
import { isItem, itemsOf } from "../items/item-message.js";

/** Under this key of an answer's metadata are the items that the model gave, as it gave them. */
const ITEMS_KEY = "openai.items";

/** What to keep about the answer that these items are. */
export function keptItems(items: readonly AgentInputItem[]): { readonly [ITEMS_KEY]: AgentInputItem[] } {
  return { [ITEMS_KEY]: [...items] };
}

/** A conversation as the SDK wants it: the model's own items where there are any, each call with a result of its kind. */
export function historyOf(messages: readonly Message[]): AgentInputItem[] {
  const items = resultsAfterCalls(messages).flatMap((message) => ownItems(message) ?? itemsOf(message));
  const unfit = unfitCalls(items);
  return items.filter((item) => !unfit.has(callIdOf(item) ?? ""));
}

/** The model's items. A call that the turn never told of was cut off, and nothing answers it. */
function ownItems(message: Message): AgentInputItem[] | undefined {
  const kept: unknown = message.metadata?.[ITEMS_KEY];
  if (!Array.isArray(kept)) return undefined;
  const items = kept.filter(isItem).map((item) => structuredClone(item));
  const told = new Set(toolLinksOf(message).calls);
  const answered = new Set(items.flatMap((item) => linksOf(item).results));
  const isCutOff = (item: AgentInputItem): boolean =>
    linksOf(item).calls.some((id) => !told.has(id) && !answered.has(id));
  return items.filter((item, index) => {
    const next = items[index + 1];
    // A provider refuses reasoning without what it led to.
    return !isCutOff(item) && !(item.type === "reasoning" && next !== undefined && isCutOff(next));
  });
}

/**
 * Calls of a computer, a shell or the like whose turn ended before they were answered. The answer that they were given
 * instead is one to a function, which no provider takes for them.
 */
function unfitCalls(items: readonly AgentInputItem[]): ReadonlySet<string> {
  const functions = new Set(items.flatMap((item) => (item.type === "function_call" ? [item.callId] : [])));
  const called = new Set(items.flatMap((item) => linksOf(item).calls));
  return new Set(
    items.flatMap((item) => {
      const isUnfit = item.type === "function_call_result" && !functions.has(item.callId);
      return isUnfit && called.has(item.callId) ? [item.callId] : [];
    }),
  );
}

/** The calls that an item makes or answers. */
export function linksOf(item: AgentInputItem): ReturnType<typeof toolLinksOf> {
  return toolLinksOf({ role: "assistant", item });
}

function callIdOf(item: AgentInputItem): string | undefined {
  return "callId" in item && typeof item.callId === "string" ? item.callId : undefined;
}
