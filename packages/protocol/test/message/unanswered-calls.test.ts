import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unansweredCalls } from "../../src/message/links/unanswered-calls.js";
import { holds } from "./assert-property.js";
import { anyConversation, conversationOf, message, pairsIn, type Step } from "./conversations.js";

const call = (...calls: string[]): Step => ({ role: "assistant", calls, shape: 0 });
const result = (...results: string[]): Step => ({ role: "tool", results, shape: 0 });

function open(...steps: readonly Step[]): string[] {
  return unansweredCalls(conversationOf(steps).messages).map(
    ({ messageId, callId }) => `${messageId} ${callId}`,
  );
}

describe("unansweredCalls", () => {
  it("lists the calls without a result, in order", () => {
    expect(open(call("a", "b", "c"), result("b"), call("d"))).toEqual(["m0 a", "m0 c", "m2 d"]);
  });

  it("is empty if all calls have results, in the same message or another", () => {
    const parts = [{ type: "tool-x", toolCallId: "u", state: "output-error", input: {}, errorText: "no" }];
    expect(open(call("a"), result("a"))).toEqual([]);
    expect(unansweredCalls([message("1", "assistant", { parts })])).toEqual([]);
  });

  it("does not count a result before the call as its answer", () => {
    expect(open(result("a"), call("a"))).toEqual(["m1 a"]);
  });

  it("lists an earlier call whose id a later, answered call used again", () => {
    expect(open(call("0"), call("0"), result("0"))).toEqual(["m0 0"]);
  });

  it("lists a call once if its message contains it twice", () => {
    const content = [{ type: "tool-call", toolCallId: "a", toolName: "t", input: {} }];
    const twice = message("1", "assistant", { content, tool_calls: [{ id: "a", type: "function" }] });
    expect(unansweredCalls([twice])).toEqual([{ messageId: "1", callId: "a" }]);
    expect(unansweredCalls([twice, message("2", "tool", { tool_call_id: "a", content: "ok" })])).toEqual([]);
  });

  it("does not count an approval as an answer", () => {
    const asked: Step = { role: "assistant", calls: ["c"], asked: ["a"], shape: 0 };
    const decided: Step = { role: "tool", decided: ["a"], shape: 0 };
    expect(open(asked, decided)).toEqual(["m0 c"]);
  });

  it("omits calls that the provider runs, because nobody else can answer them", () => {
    const served = [{ type: "tool-call", toolCallId: "p", toolName: "t", input: {}, providerExecuted: true }];
    const messages = [
      message("1", "assistant", { content: served }),
      message("2", "assistant", {
        content: [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }],
      }),
      message("3", "assistant", { content: [{ type: "tool_use", id: "mine", name: "t", input: {} }] }),
    ];
    expect(unansweredCalls(messages)).toEqual([{ messageId: "3", callId: "mine" }]);
  });

  it("lists the same calls of the newest messages, whether or not older messages were read", () => {
    holds(
      fc.property(anyConversation(), fc.nat(30), ({ messages }, unread) => {
        const tail = messages.slice(unread);
        const inTail = new Set(tail.map(({ id }) => id));
        const expected = unansweredCalls(messages).filter(({ messageId }) => inTail.has(messageId));
        expect(unansweredCalls(tail)).toEqual(expected);
      }),
    );
  });

  it("lists every call without a result once", () => {
    holds(
      fc.property(anyConversation(), ({ steps, messages }) => {
        const paired = new Set(
          pairsIn(steps).flatMap(([first, last]) =>
            (steps[last]?.results ?? []).map((id) => `m${first} ${id}`),
          ),
        );
        const named = unansweredCalls(messages).map(({ messageId, callId }) => `${messageId} ${callId}`);
        expect(new Set(named).size).toBe(named.length);
        const all = steps.flatMap((step, index) => (step.calls ?? []).map((id) => `m${index} ${id}`));
        expect(all.filter((made) => !paired.has(made)).filter((made) => !named.includes(made))).toEqual([]);
      }),
    );
  });
});
