import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastExchange } from "../../src/message/windows/last-exchange.js";
import { holds } from "./assert-property.js";
import { anyConversation, conversationOf, message, pairsIn, type Step } from "./conversations.js";

const user: Step = { role: "user", shape: 0 };
const answer: Step = { role: "assistant", shape: 0 };
const call: Step = { role: "assistant", calls: ["a"], shape: 0 };
const result: Step = { role: "tool", results: ["a"], shape: 0 };

function last(...steps: readonly Step[]): string[] {
  return lastExchange(conversationOf(steps).messages).map(({ id }) => id);
}

describe("lastExchange", () => {
  it("starts at the last message of the user", () => {
    expect(last(user, answer, user, call, result, answer)).toEqual(["m2", "m3", "m4", "m5"]);
  });

  it("is one message if the last message is the user's", () => {
    expect(last(user, answer, user)).toEqual(["m2"]);
  });

  it("includes the whole group if the user wrote between a call and its result", () => {
    expect(last(user, call, user, result)).toEqual(["m1", "m2", "m3"]);
  });

  it("does not treat a tool result with the user's role as a message of the user", () => {
    const messages = [
      message("1", "user", { content: "Weather?" }),
      message("2", "assistant", { content: [{ type: "tool_use", id: "t", name: "weather", input: {} }] }),
      message("3", "user", { content: [{ type: "tool_result", tool_use_id: "t", content: "12" }] }),
      message("4", "assistant", { content: "12 degrees" }),
    ];
    expect(lastExchange(messages)).toEqual(messages);
  });

  it("is everything if there is no message of the user", () => {
    expect(last(answer, call, result)).toEqual(["m0", "m1", "m2"]);
    expect(last()).toEqual([]);
  });

  it("never splits a pair, and contains a message of the user if there is one", () => {
    holds(
      fc.property(anyConversation(), ({ steps, messages }) => {
        const exchange = lastExchange(messages);
        const first = messages.length - exchange.length;
        const spoke = steps.findLastIndex((step) => step.role === "user" && step.results === undefined);
        expect(pairsIn(steps).filter(([call, result]) => call < first && first <= result)).toEqual([]);
        expect(first).toBeLessThanOrEqual(Math.max(0, spoke));
      }),
    );
  });
});
