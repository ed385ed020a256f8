import type { Message } from "../message.js";
import { type CountTokens, estimateTokens } from "../text/token-counter.js";
import { groupStarts } from "./message-groups.js";

/** How much may be returned. What is absent does not limit; 0 is nothing. */
export interface WindowBudget {
  /** At most so many messages. */
  readonly limit?: number | undefined;
  /** At most so many tokens. */
  readonly maxTokens?: number | undefined;
  /** @default estimateTokens */
  readonly countTokens?: CountTokens | undefined;
  /**
   * The newest group is returned even if it alone is over the budget (unless the budget is 0).
   * @default true
   */
  readonly atLeastNewest?: boolean | undefined;
}

/** The newest messages, in order. */
export interface MessageWindow {
  readonly messages: Message[];
  /** Nothing was left out: the window reaches back to the first message given. */
  readonly complete: boolean;
  /** What the messages cost. Counted only for a budget with `maxTokens`, else 0. */
  readonly tokens: number;
}

/**
 * The newest messages that fit into a budget, whole groups only: never half of a tool pair. Goes back group
 * by group and stops at the first that does not fit, so that the window has no holes.
 *
 * Given only the newest part of a session, ask `tailIsClosed` whether the window is that of the whole
 * session.
 */
export function newestMessages(messages: readonly Message[], budget: WindowBudget): MessageWindow {
  if (budget.limit === undefined && budget.maxTokens === undefined)
    return { messages: [...messages], complete: true, tokens: 0 }; // nothing is left out, so nothing need be paired
  let first = messages.length;
  let tokens = 0;
  for (const start of groupStarts(messages).toReversed()) {
    const cost = costOf(messages.slice(start, first), budget);
    const isNewest = first === messages.length;
    if (!fits(messages.length - start, tokens + cost, budget) && !(isNewest && mayExceed(budget))) break;
    first = start;
    tokens += cost;
  }
  return { messages: messages.slice(first), complete: first === 0, tokens };
}

function costOf(messages: readonly Message[], budget: WindowBudget): number {
  const { maxTokens, countTokens = estimateTokens } = budget;
  if (maxTokens === undefined) return 0;
  return messages.reduce((sum, message) => sum + countTokens(message), 0);
}

function fits(count: number, tokens: number, budget: WindowBudget): boolean {
  return count <= (budget.limit ?? Infinity) && tokens <= (budget.maxTokens ?? Infinity);
}

function mayExceed({ limit = Infinity, maxTokens = Infinity, atLeastNewest = true }: WindowBudget): boolean {
  return atLeastNewest && limit > 0 && maxTokens > 0;
}
