import type { Message } from "./message.js";
import { groupMessages } from "./message-groups.js";
import { toolLinksOf } from "./tool-links-of.js";

/** Whoever writes these did not wait for a tool. */
const NOT_FROM_THE_MODEL: readonly string[] = ["user", "system", "developer"];

/**
 * The same messages in an order that a provider accepts: what somebody said while a tool ran comes after the tool's result.
 * What a model itself has said between a call and its result stays there.
 */
export function resultsAfterCalls(messages: readonly Message[]): readonly Message[] {
  return groupMessages(messages).flatMap(uninterrupted);
}

/** A run from a call through its last result. */
function uninterrupted(run: readonly Message[]): readonly Message[] {
  const from = run.findIndex(({ role }) => NOT_FROM_THE_MODEL.includes(role));
  if (from === -1 || run.length === 1) return run;
  const before = run.slice(0, from);
  const behind = run.slice(from);
  const calls = new Set(before.flatMap((message) => toolLinksOf(message).calls));
  const isResult = (message: Message): boolean => toolLinksOf(message).results.some((id) => calls.has(id));
  const results = behind.filter(isResult);
  return [...before, ...results, ...resultsAfterCalls(behind.filter((message) => !isResult(message)))];
}
