import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastGroup } from "../../src/message/windows/last-group.js";
import { holds } from "./assert-property.js";
import { anyConversation, conversationOf, pairsIn, type Step } from "./conversations.js";

const user: Step = { role: "user", shape: 0 };
const call: Step = { role: "assistant", calls: ["a", "b"], shape: 0 };
const resultOf = (id: string): Step => ({ role: "tool", results: [id], shape: 0 });

function last(...steps: readonly Step[]): string[] {
  return lastGroup(conversationOf(steps).messages).map(({ id }) => id);
}

describe("lastGroup", () => {
  it("is the last message if it has no links", () => {
    expect(last(call, resultOf("a"), resultOf("b"), user)).toEqual(["m3"]);
  });

  it("is a call with all its results if the last message is a result", () => {
    expect(last(user, call, resultOf("b"), resultOf("a"))).toEqual(["m1", "m2", "m3"]);
  });

  it("is the call alone if it has no result", () => {
    expect(last(user, call)).toEqual(["m1"]);
  });

  it("is empty for an empty history", () => {
    expect(last()).toEqual([]);
  });

  it("never splits a pair", () => {
    holds(
      fc.property(anyConversation(), ({ steps, messages }) => {
        const first = messages.length - lastGroup(messages).length;
        expect(pairsIn(steps).filter(([call, result]) => call < first && first <= result)).toEqual([]);
        expect(messages.length === 0 || first < messages.length).toBe(true);
      }),
    );
  });
});
