import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../src/message/message.js";
import { keepRoles } from "../../src/message/windows/keep-roles.js";
import { lastExchange } from "../../src/message/windows/last-exchange.js";
import { lastGroup } from "../../src/message/windows/last-group.js";
import { groupStarts } from "../../src/message/windows/message-groups.js";
import { newestMessages } from "../../src/message/windows/newest-messages.js";
import { closedFrom, tailIsClosed } from "../../src/message/windows/tail-is-closed.js";
import { holds } from "./assert-property.js";
import { anyBudget, anyConversation, conversationOf, costById, type Step } from "./conversations.js";

const user: Step = { role: "user", shape: 0 };
const call: Step = { role: "assistant", calls: ["a"], shape: 0 };
const result: Step = { role: "tool", results: ["a"], shape: 0 };
const thought: Step = { role: "assistant", reasoning: true, shape: 0 };
const answer: Step = { role: "assistant", shape: 0 };
const tail = (...steps: readonly Step[]) => conversationOf(steps).messages;

/** A conversation, and how many of its last messages were read: not all of them. */
function anyTail(): fc.Arbitrary<{ readonly whole: readonly Message[]; readonly tail: readonly Message[] }> {
  return anyConversation()
    .filter(({ messages }) => messages.length > 0)
    .chain(({ messages: whole }) =>
      fc.integer({ min: 1, max: whole.length }).map((unread) => ({ whole, tail: whole.slice(unread) })),
    );
}

const readFromTail = {
  "the newest messages": (messages: readonly Message[], budget: object) =>
    newestMessages(messages, { ...budget, countTokens: costById }).messages,
  "the last group": lastGroup,
  "the last exchange": lastExchange,
};

describe("tailIsClosed", () => {
  it("is certain between plain messages", () => {
    expect(tailIsClosed(tail(user, user), 1)).toBe(true);
  });

  it("is certain before a whole pair, and not within it", () => {
    expect(tailIsClosed(tail(user, call, result), 1)).toBe(true);
    expect(tailIsClosed(tail(user, call, result), 2)).toBe(false);
  });

  it("is not certain about the first message of the tail", () => {
    expect(tailIsClosed(tail(answer, user), 0)).toBe(false);
  });

  it("is not certain while the call of a result is not in the tail", () => {
    expect(tailIsClosed(tail(user, user, result), 1)).toBe(false);
    expect(tailIsClosed(tail(user, result, user), 1)).toBe(false);
  });

  it("ignores a result without its call before the window", () => {
    expect(tailIsClosed(tail(result, user, user), 1)).toBe(true);
  });

  it("is certain about an empty window, unless nothing was read", () => {
    expect(tailIsClosed(tail(result), 1)).toBe(true);
    expect(tailIsClosed([], 0)).toBe(false);
  });

  it("is not certain between a reasoning item and its answer", () => {
    expect(tailIsClosed(tail(user, thought, answer), 2)).toBe(false);
  });

  it("is certain after the first group of a tail without unmatched results", () => {
    expect(closedFrom(tail(call, result, user, user))).toBe(2);
    expect(closedFrom(tail(user, result, user, user))).toBe(2);
    expect(closedFrom(tail(user, user, result))).toBe(3);
  });

  it.each(Object.entries(readFromTail))(
    "closed means: %s of the tail and of the whole session are the same",
    (_, read) => {
      holds(
        fc.property(anyTail(), anyBudget(), (given, budget) => {
          const fromTail = read(given.tail, budget);
          fc.pre(tailIsClosed(given.tail, given.tail.length - fromTail.length));
          expect(fromTail).toEqual(read(given.whole, budget));
        }),
        { numRuns: 500 },
      );
    },
  );

  it.each(Object.entries(readFromTail))(
    "reading twice as much until closed gives %s of the session",
    (_, read) => {
      holds(
        fc.property(anyConversation(), anyBudget(), ({ messages: whole }, budget) => {
          let size = 1;
          let seen = whole.slice(-size);
          while (size < whole.length && !tailIsClosed(seen, seen.length - read(seen, budget).length)) {
            size *= 2;
            seen = whole.slice(-size);
          }
          expect(read(seen, budget)).toEqual(read(whole, budget));
        }),
        { numRuns: 500 },
      );
    },
  );

  it("is false only if an unread message could be linked across the window's start", () => {
    const letters = ["a", "b", "c", "d", "e", "f"];
    const unread = conversationOf([
      { role: "assistant", calls: [...letters, "call_0", "call_1", "call_2", "call_3", "pay"], shape: 0 },
      { role: "assistant", asked: [...letters, "approval"], shape: 0 },
    ]).messages;
    holds(
      fc.property(anyConversation(), fc.integer({ min: 1, max: 40 }), ({ messages }, from) => {
        fc.pre(from <= messages.length && !tailIsClosed(messages, from));
        expect(groupStarts([...unread, ...messages])).not.toContain(unread.length + from);
      }),
    );
  });
});

describe("closedFrom", () => {
  it("makes the kept roles of a tail the end of those of the whole session", () => {
    const someRoles = fc.uniqueArray(fc.constantFrom("user", "assistant", "tool", "system"), {
      minLength: 1,
    });
    holds(
      fc.property(anyTail(), someRoles, (given, roles) => {
        const kept = keepRoles(given.tail.slice(closedFrom(given.tail)), roles);
        expect(keepRoles(given.whole, roles).slice(-kept.length || Infinity)).toEqual(kept);
      }),
      { numRuns: 500 },
    );
  });

  it("makes a window of kept roles that leaves something out that of the whole session", () => {
    const someRoles = fc.uniqueArray(fc.constantFrom("user", "assistant", "tool", "system"), {
      minLength: 1,
    });
    holds(
      fc.property(anyTail(), someRoles, anyBudget(), (given, roles, budget) => {
        const counted = { ...budget, countTokens: costById };
        const window = newestMessages(keepRoles(given.tail.slice(closedFrom(given.tail)), roles), counted);
        fc.pre(!window.complete);
        expect(newestMessages(keepRoles(given.whole, roles), counted).messages).toEqual(window.messages);
      }),
      { numRuns: 500 },
    );
  });
});
