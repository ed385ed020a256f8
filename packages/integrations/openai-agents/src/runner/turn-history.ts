import type { AgentInputItem } from "@openai/agents";
import { type Message, resultsAfterCalls, toolLinksOf } from "@sessions/protocol";
import { isItem, itemsOf } from "../items/item-message.js";

/** The key of an answer's metadata with the items of the model, unchanged. */
const ITEMS_KEY = "openai.items";

/** The metadata of an answer with these items. */
export function keptItems(items: readonly AgentInputItem[]): { readonly [ITEMS_KEY]: AgentInputItem[] } {
  return { [ITEMS_KEY]: [...items] };
}

/** A conversation as items: those of the model itself where they are stored, and each call with a result of its kind. */
export function historyOf(messages: readonly Message[]): AgentInputItem[] {
  const items = resultsAfterCalls(messages).flatMap((message) => ownItems(message) ?? itemsOf(message));
  const mismatched = mismatchedCalls(items);
  return items.filter((item) => !mismatched.has(callIdOf(item) ?? ""));
}

/** The items of the model. A call without an event in the turn was cut off, and has no result. */
function ownItems(message: Message): AgentInputItem[] | undefined {
  const kept: unknown = message.metadata?.[ITEMS_KEY];
  if (!Array.isArray(kept)) return undefined;
  const items = kept.filter(isItem).map((item) => structuredClone(item));
  const stored = new Set(toolLinksOf(message).calls);
  const answered = new Set(items.flatMap((item) => linksOf(item).results));
  const isCutOff = (item: AgentInputItem): boolean =>
    linksOf(item).calls.some((id) => !stored.has(id) && !answered.has(id));
  return items.filter((item, index) => {
    const next = items[index + 1];
    // A provider refuses reasoning without the item that it led to.
    return !isCutOff(item) && !(item.type === "reasoning" && next !== undefined && isCutOff(next));
  });
}

/**
 * Calls of a computer, a shell or the like whose turn ended before their result came. They got the result of a function call instead,
 * and providers refuse that.
 */
function mismatchedCalls(items: readonly AgentInputItem[]): ReadonlySet<string> {
  const functions = new Set(items.flatMap((item) => (item.type === "function_call" ? [item.callId] : [])));
  const called = new Set(items.flatMap((item) => linksOf(item).calls));
  return new Set(
    items.flatMap((item) => {
      const isMismatched = item.type === "function_call_result" && !functions.has(item.callId);
      return isMismatched && called.has(item.callId) ? [item.callId] : [];
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
