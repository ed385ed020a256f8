import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepRoles } from "../../src/message/windows/keep-roles.js";
import { holds } from "./assert-property.js";
import { anyConversation, conversationOf, message, pairsIn, type Step } from "./conversations.js";

const user: Step = { role: "user", shape: 0 };
const answer: Step = { role: "assistant", shape: 0 };
const call: Step = { role: "assistant", calls: ["a"], shape: 0 };
const result: Step = { role: "tool", results: ["a"], shape: 0 };
const thought: Step = { role: "assistant", reasoning: true, shape: 0 };

function kept(roles: readonly string[], ...steps: readonly Step[]): string[] {
  return keepRoles(conversationOf(steps).messages, roles).map(({ id }) => id);
}

const someRoles: fc.Arbitrary<string[]> = fc.uniqueArray(
  fc.constantFrom("user", "assistant", "tool", "system"),
);

describe("keepRoles", () => {
  it("keeps only these roles, in order", () => {
    expect(kept(["user", "assistant"], user, answer, { role: "system", shape: 0 }, user)).toEqual([
      "m0",
      "m1",
      "m3",
    ]);
  });

  it("keeps nothing for an empty list of roles", () => {
    expect(kept([], user, answer)).toEqual([]);
  });

  it("drops a call together with its dropped result, and the reverse", () => {
    expect(kept(["user", "assistant"], user, call, result, answer)).toEqual(["m0", "m3"]);
    expect(kept(["user", "tool"], user, call, result, answer)).toEqual(["m0"]);
  });

  it("keeps the messages between a call and its result", () => {
    expect(kept(["user"], call, user, result)).toEqual(["m1"]);
  });

  it("follows links from message to message", () => {
    const relay: Step = { role: "assistant", results: ["a"], calls: ["b"], shape: 0 };
    const last: Step = { role: "assistant", results: ["b"], shape: 0 };
    const first: Step = { role: "system", calls: ["a"], shape: 0 };
    expect(kept(["assistant"], first, relay, last, answer)).toEqual(["m3"]);
  });

  it("keeps a call and its result that are one message", () => {
    const parts = [{ type: "tool-x", toolCallId: "u", state: "output-available", input: {}, output: 1 }];
    const both = message("1", "assistant", { parts });
    expect(keepRoles([both], ["assistant"])).toEqual([both]);
  });

  it("keeps a call without a result", () => {
    expect(kept(["assistant"], call, user)).toEqual(["m0"]);
  });

  it("drops a reasoning item together with the item after it, or if that item is missing", () => {
    expect(kept(["user", "assistant"], thought, call, result, user)).toEqual(["m3"]);
    expect(kept(["user", "assistant"], user, thought, user, thought, answer)).toEqual([
      "m0",
      "m2",
      "m3",
      "m4",
    ]);
    expect(kept(["assistant"], thought, user, answer)).toEqual(["m2"]);
  });

  it("keeps a second message of the same role and text", () => {
    const twice = [message("1", "user", { content: "yes" }), message("2", "user", { content: "yes" })];
    expect(keepRoles(twice, ["user"])).toEqual(twice);
  });

  it("returns no other role and never half of a pair", () => {
    holds(
      fc.property(anyConversation(), someRoles, ({ steps, messages }, roles) => {
        const result = new Set(keepRoles(messages, roles));
        const isKept = (index: number) => messages.slice(index, index + 1).some((given) => result.has(given));
        expect([...result].filter(({ role }) => !roles.includes(role))).toEqual([]);
        expect(pairsIn(steps).filter(([first, last]) => isKept(first) !== isKept(last))).toEqual([]);
      }),
    );
  });

  it("drops no message of these roles that is not linked to a message of another role", () => {
    holds(
      fc.property(anyConversation(), someRoles, ({ steps, messages }, roles) => {
        const result = new Set(keepRoles(messages, roles));
        const tied = new Set(pairsIn(steps).flat());
        const free = messages.filter(
          ({ role }, index) => roles.includes(role) && !tied.has(index) && !steps[index]?.reasoning,
        );
        expect(free.filter((given) => !result.has(given))).toEqual([]);
      }),
    );
  });

  it("keeps everything except lone reasoning items for all roles", () => {
    holds(
      fc.property(anyConversation(), ({ steps, messages }) => {
        const tied = new Set(pairsIn(steps).flat());
        const expected = messages.filter((_, index) => !steps[index]?.reasoning || tied.has(index));
        // Consecutive reasoning items are dropped together if the last one has no item after it.
        const result = keepRoles(messages, ["user", "assistant", "tool", "system"]);
        expect(expected).toEqual(expect.arrayContaining(result));
        expect(result.filter((given) => given.item === undefined)).toEqual(
          expected.filter((given) => given.item === undefined),
        );
      }),
    );
  });
});
