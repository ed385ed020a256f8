import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupMessages, groupStarts } from "../../src/message/windows/message-groups.js";
import { holds } from "./assert-property.js";
import { anyConversation, conversationOf, message, pairsIn, type Step } from "./conversations.js";

const user: Step = { role: "user", shape: 0 };
const call = (...calls: string[]): Step => ({ role: "assistant", calls, shape: 0 });
const result = (...results: string[]): Step => ({ role: "tool", results, shape: 0 });

function sizes(...steps: readonly Step[]): number[] {
  return groupMessages(conversationOf(steps).messages).map((group) => group.length);
}

describe("groupMessages", () => {
  it("leaves plain messages single", () => {
    expect(sizes(user, user, user)).toEqual([1, 1, 1]);
  });

  it("groups a call, its results and everything between them", () => {
    expect(sizes(user, call("a", "b"), result("b"), user, result("a"), user)).toEqual([1, 4, 1]);
  });

  it("merges exchanges that overlap", () => {
    expect(sizes(call("a"), call("b"), result("a"), result("b"), user)).toEqual([4, 1]);
  });

  it("does not merge exchanges that only touch", () => {
    expect(sizes(call("a"), result("a"), call("b"), result("b"))).toEqual([2, 2]);
  });

  it("leaves a call without a result single, and a result without a call", () => {
    expect(sizes(result("x"), user, call("a"), user)).toEqual([1, 1, 1, 1]);
  });

  it("does not link a result to a later call", () => {
    expect(sizes(result("a"), user, call("a"))).toEqual([1, 1, 1]);
  });

  it("links a result to the nearest earlier call if an id is used again", () => {
    expect(sizes(call("0"), result("0"), user, call("0"), result("0"))).toEqual([2, 1, 2]);
    expect(sizes(call("0"), user, call("0"), result("0"))).toEqual([1, 1, 2]);
  });

  it("keeps a second result of the same call with it", () => {
    expect(sizes(call("a"), result("a"), user, result("a"), user)).toEqual([4, 1]);
  });

  it("keeps the decision on an approval with its request while the call is pending", () => {
    const asked: Step = { role: "assistant", calls: ["c"], asked: ["a"], shape: 0 };
    const decided: Step = { role: "tool", decided: ["a"], shape: 0 };
    expect(sizes(user, asked, decided, user)).toEqual([1, 2, 1]);
  });

  it("extends to the result of a call that was approved before", () => {
    const asked: Step = { role: "assistant", calls: ["c"], asked: ["a"], shape: 0 };
    const decided: Step = { role: "tool", decided: ["a"], shape: 0 };
    expect(sizes(asked, decided, result("c"), user)).toEqual([3, 1]);
  });

  it("keeps the decision about a hosted MCP tool with its request, in both of OpenAI's spellings", () => {
    const data = { type: "mcp_approval_request", id: "r2" };
    const groups = groupMessages([
      message("1", "assistant", { item: { type: "mcp_approval_request", id: "r1", name: "pay" } }),
      message("2", "user", {
        item: { type: "mcp_approval_response", approval_request_id: "r1", approve: true },
      }),
      message("3", "assistant", { item: { type: "hosted_tool_call", name: "pay", providerData: data } }),
      message("4", "user", {
        item: {
          type: "hosted_tool_call",
          name: "mcp_approval_response",
          providerData: { approval_request_id: "r2" },
        },
      }),
    ]);
    expect(groups.map((group) => group.map(({ id }) => id))).toEqual([
      ["1", "2"],
      ["3", "4"],
    ]);
  });

  it("keeps reasoning items with the item after them", () => {
    const thought: Step = { role: "assistant", reasoning: true, shape: 0 };
    const answer: Step = { role: "assistant", shape: 0 };
    expect(sizes(user, thought, thought, call("a"), result("a"), thought, answer)).toEqual([1, 4, 2]);
  });

  it("does not link an aborted reasoning item to the user's next message", () => {
    const thought: Step = { role: "assistant", reasoning: true, shape: 0 };
    expect(sizes(user, thought, user)).toEqual([1, 1, 1]);
  });

  it("keeps every message once and in order", () => {
    holds(
      fc.property(anyConversation(), ({ messages }) => {
        expect(groupMessages(messages).flat()).toEqual(messages);
      }),
    );
  });

  it("never splits a pair, and joins nothing but pairs", () => {
    holds(
      fc.property(anyConversation(), ({ steps, messages }) => {
        const pairs = pairsIn(steps);
        const isCut = (at: number) => !pairs.some(([first, last]) => first < at && at <= last);
        expect(groupStarts(messages)).toEqual([...messages.keys()].filter(isCut));
      }),
    );
  });

  it("takes linear time if one id is used many times", () => {
    const steps = Array.from({ length: 100_000 }, (_, index) => (index % 2 === 0 ? call("0") : result("0")));
    expect(groupStarts(conversationOf(steps).messages)).toHaveLength(50_000);
  });
});
