import { toolLinksOf } from "../links/tool-links-of.js";
import type { Message } from "../message.js";
import { groupMessages } from "./message-groups.js";

/**
 * The same messages in an order that providers accept: nothing but other calls and results is between a call and its result.
 * Messages that were added while a tool ran come after the result. An OpenAI item that the model itself wrote in between
 * stays there: the provider expects it back in the order in which it sent it.
 */
export function resultsAfterCalls(messages: readonly Message[]): readonly Message[] {
  return groupMessages(messages).flatMap(uninterrupted);
}

/** A run from a call to its last result. */
function uninterrupted(run: readonly Message[]): readonly Message[] {
  const from = run.findIndex((message, index) => index > 0 && !mayStandBetween(message));
  if (from === -1) return run;
  const before = run.slice(0, from);
  const behind = run.slice(from);
  const calls = new Set(before.flatMap((message) => toolLinksOf(message).calls));
  const isResult = (message: Message): boolean => toolLinksOf(message).results.some((id) => calls.has(id));
  const results = behind.filter(isResult);
  return [...before, ...results, ...resultsAfterCalls(behind.filter((message) => !isResult(message)))];
}

function mayStandBetween(message: Message): boolean {
  const { calls, results } = toolLinksOf(message);
  return calls.length > 0 || results.length > 0 || isItemOfModel(message);
}

const NOT_FROM_THE_MODEL: readonly string[] = ["user", "system", "developer"];

function isItemOfModel({ item, role, ...others }: Message): boolean {
  const isItem = item !== undefined || typeof others["type"] === "string";
  return isItem && !NOT_FROM_THE_MODEL.includes(role);
}
