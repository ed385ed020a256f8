import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/message/text/token-counter.js";
import { groupMessages } from "../../src/message/windows/message-groups.js";
import { newestMessages } from "../../src/message/windows/newest-messages.js";
import { holds } from "./assert-property.js";
import {
  anyBudget,
  anyConversation,
  conversationOf,
  costById,
  message,
  pairsIn,
  type Step,
} from "./conversations.js";

const user: Step = { role: "user", shape: 0 };
const exchange: readonly Step[] = [
  { role: "assistant", calls: ["a", "b"], shape: 0 },
  { role: "tool", results: ["b"], shape: 0 },
  { role: "tool", results: ["a"], shape: 0 },
];
const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);
const one = () => 1;

describe("newestMessages", () => {
  it("returns everything without a limit", () => {
    const { messages } = conversationOf([user, ...exchange]);
    expect(newestMessages(messages, {})).toEqual({ messages, complete: true, tokens: 0 });
  });

  it("returns the newest, in order", () => {
    const window = newestMessages(conversationOf([user, user, user]).messages, { limit: 2 });
    expect(ids(window.messages)).toEqual(["m1", "m2"]);
    expect(window.complete).toBe(false);
  });

  it("returns nothing for limit 0, and nothing for 0 tokens", () => {
    const { messages } = conversationOf([user, ...exchange]);
    const nothing = { messages: [], complete: false, tokens: 0 };
    expect(newestMessages(messages, { limit: 0 })).toEqual(nothing);
    expect(newestMessages(messages, { maxTokens: 0 })).toEqual(nothing);
  });

  it("is complete for an empty history", () => {
    expect(newestMessages([], { limit: 5 })).toEqual({ messages: [], complete: true, tokens: 0 });
  });

  it("drops a whole pair instead of starting with its result", () => {
    const { messages } = conversationOf([user, ...exchange, user]);
    expect(ids(newestMessages(messages, { limit: 3 }).messages)).toEqual(["m4"]);
  });

  it("returns the newest group alone if it is larger than the budget", () => {
    const { messages } = conversationOf([user, ...exchange]);
    expect(ids(newestMessages(messages, { limit: 1 }).messages)).toEqual(["m1", "m2", "m3"]);
    const tokens = newestMessages(messages, { maxTokens: 2, countTokens: one });
    expect(ids(tokens.messages)).toEqual(["m1", "m2", "m3"]);
    expect(tokens.tokens).toBe(3);
  });

  it("returns nothing if the newest group must fit and does not", () => {
    const { messages } = conversationOf([user, ...exchange]);
    const budget = { maxTokens: 2, countTokens: one, atLeastNewest: false };
    expect(newestMessages(messages, budget)).toEqual({ messages: [], complete: false, tokens: 0 });
  });

  it("stops at the first group that does not fit, although an older one would", () => {
    const { messages } = conversationOf([user, ...exchange, user]);
    const window = newestMessages(messages, { maxTokens: 3, countTokens: one });
    expect(ids(window.messages)).toEqual(["m4"]);
  });

  it("keeps a second message of the same role and text", () => {
    const twice = [message("1", "user", { content: "yes" }), message("2", "user", { content: "yes" })];
    expect(newestMessages(twice, { limit: 2 }).messages).toEqual(twice);
  });

  it("estimates tokens without a countTokens function", () => {
    const { messages } = conversationOf([user, user]);
    const cost = messages.reduce((sum, given) => sum + estimateTokens(given), 0);
    expect(newestMessages(messages, { maxTokens: cost })).toEqual({ messages, complete: true, tokens: cost });
    expect(newestMessages(messages, { maxTokens: cost - 1 }).messages).toHaveLength(1);
  });

  it("returns a new array", () => {
    const { messages } = conversationOf([user]);
    expect(newestMessages(messages, {}).messages).not.toBe(messages);
  });

  it("never splits a pair", () => {
    holds(
      fc.property(anyConversation(), anyBudget(), ({ steps, messages }, budget) => {
        const window = newestMessages(messages, { ...budget, countTokens: costById });
        const first = messages.length - window.messages.length;
        expect(window.messages).toEqual(messages.slice(first));
        expect(pairsIn(steps).filter(([call, result]) => call < first && first <= result)).toEqual([]);
      }),
    );
  });

  it("is within the budget, or the newest group alone", () => {
    holds(
      fc.property(anyConversation(), anyBudget(), ({ messages }, budget) => {
        const window = newestMessages(messages, { ...budget, countTokens: costById });
        const { limit = Infinity, maxTokens = Infinity, atLeastNewest = true } = budget;
        const cost = window.messages.reduce((sum, given) => sum + costById(given), 0);
        const within = window.messages.length <= limit && cost <= maxTokens;
        const newest = groupMessages(messages).at(-1) ?? [];
        expect(within || (atLeastNewest && window.messages.length === newest.length)).toBe(true);
      }),
    );
  });

  it("drops nothing that would have fitted", () => {
    holds(
      fc.property(anyConversation(), anyBudget(), ({ messages }, budget) => {
        const window = newestMessages(messages, { ...budget, countTokens: costById });
        const { limit = Infinity, maxTokens = Infinity } = budget;
        const groups = groupMessages(messages.slice(0, messages.length - window.messages.length));
        const next = [...(groups.at(-1) ?? []), ...window.messages];
        const cost = next.reduce((sum, given) => sum + costById(given), 0);
        expect(window.complete || next.length > limit || cost > maxTokens).toBe(true);
      }),
    );
  });
});
