import type { Message } from "../message.js";
import { type CountTokens, estimateTokens } from "../text/token-counter.js";
import { groupStarts } from "./message-groups.js";

/** How much may be returned. An absent limit is no limit; 0 returns nothing. */
export interface WindowBudget {
  /** The maximum number of messages. */
  readonly limit?: number | undefined;
  /** The maximum number of tokens. */
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
  /** No message was omitted. */
  readonly complete: boolean;
  /** The tokens of the messages. Counted only if the budget has `maxTokens`, otherwise 0. */
  readonly tokens: number;
}

/**
 * The newest messages that fit into a budget, in whole groups: never half of a tool pair. It goes back group by group and
 * stops at the first that does not fit, so the window has no gaps.
 *
 * On the newest part of a session, `tailIsClosed` says whether the window is the same as on the whole session.
 */
export function newestMessages(messages: readonly Message[], budget: WindowBudget): MessageWindow {
  if (budget.limit === undefined && budget.maxTokens === undefined)
    return { messages: [...messages], complete: true, tokens: 0 }; // without a limit there is no need to find the pairs
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
