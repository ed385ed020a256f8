import { type Message, type MessageInput, toolLinksOf } from "@sessions/protocol";
import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, toolCalls, toolResult, user } from "../../samples/messages.js";

/** A tool call and its result in the formats of several frameworks. */
const dialects: Readonly<Record<string, readonly [call: MessageInput, result: MessageInput]>> = {
  "the AI SDK": [toolCalls("c1"), toolResult("c1")],
  "OpenAI chat": [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c1", content: "seen" },
  ],
  "OpenAI Responses": [
    { role: "assistant", item: { type: "function_call", call_id: "c1", name: "look", arguments: "{}" } },
    { role: "tool", item: { type: "function_call_output", call_id: "c1", output: "seen" } },
  ],
  "OpenAI Agents": [
    { role: "assistant", item: { type: "function_call", callId: "c1", name: "look", arguments: "{}" } },
    {
      role: "tool",
      item: { type: "function_call_result", callId: "c1", output: { type: "text", text: "seen" } },
    },
  ],
  Anthropic: [
    { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "look", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "seen" }] },
  ],
};

/** Two exchanges with tool calls; the second has two calls in one message. */
const conversation: readonly MessageInput[] = [
  user("look"),
  toolCalls("a1"),
  toolResult("a1"),
  assistant("seen a"),
  user("look twice"),
  toolCalls("b1", "b2"),
  toolResult("b1"),
  toolResult("b2"),
  assistant("seen b"),
];

/** Every result comes after its call, and every call has its result. */
function expectWhole(messages: readonly Message[]): void {
  const called = new Set<string>();
  const answered = new Set<string>();
  for (const message of messages) {
    const links = toolLinksOf(message);
    for (const result of links.results) expect([...called], "a result without its call").toContain(result);
    for (const call of links.calls) called.add(call);
    for (const result of links.results) answered.add(result);
  }
  expect([...answered], "a call without its result").toEqual([...called]);
}

export const pairSafety: Section = {
  name: "pair-safety",
  cases: [
    behaviour("no limit separates a tool call from its results", ["G11"], async (store) => {
      await store.addMessage("s", conversation);
      for (let limit = 0; limit <= conversation.length + 1; limit++) {
        const messages = await store.getChatHistory("s", { limit });
        expectWhole(messages);
        expect(messages.length, `limit ${limit}`).toBeLessThanOrEqual(limit);
      }
    }),
    behaviour("no token budget separates a tool call from its results", ["G11"], async (store) => {
      await store.addMessage("s", conversation);
      for (let maxTokens = 0; maxTokens <= conversation.length; maxTokens++) {
        expectWhole(await store.getChatHistory("s", { maxTokens, countTokens: () => 1 }));
        expectWhole((await store.getContext("s", { maxTokens, countTokens: () => 1 })).messages);
      }
    }),
    behaviour(
      "a newest group of call and results that exceeds the limit is returned whole and alone",
      ["G11"],
      async (store) => {
        await store.addMessage("s", [
          ...conversation.slice(0, 5),
          toolCalls("b1", "b2"),
          toolResult("b1"),
          toolResult("b2"),
        ]);
        const messages = await store.getChatHistory("s", { limit: 1 });
        expect(messages.map((message) => message.role)).toEqual(["assistant", "tool", "tool"]);
      },
    ),
    behaviour("no archive separates a tool call from its results", ["G11"], async (store) => {
      for (let keepRecent = 0; keepRecent <= conversation.length; keepRecent++) {
        const id = `s${keepRecent}`;
        await store.addMessage(id, conversation);
        const archive = await store.archiveMessages(id, { keepRecent });
        expectWhole(await store.getChatHistory(id));
        if (archive !== undefined) expectWhole((await store.getArchive(id, archive.id)).messages);
      }
    }),
    behaviour(
      "popping messages one after the other never separates a tool call from its results",
      ["G11"],
      async (store) => {
        await store.addMessage("s", conversation);
        for (let left = conversation.length; left > 0; left = (await store.getChatHistory("s")).length) {
          const popped = await store.popMessage("s");
          expect(popped.messages.length).toBeGreaterThan(0);
          expectWhole(popped.messages);
          expectWhole(await store.getChatHistory("s"));
        }
      },
    ),
    ...Object.entries(dialects).map(([dialect, [call, result]]) =>
      behaviour(
        `tool calls and results are recognised in the format of ${dialect}`,
        ["G11"],
        async (store) => {
          await store.addMessage("s", [user("look"), call, result, assistant("seen")]);
          expect(await store.getChatHistory("s", { limit: 2 })).toHaveLength(1);
          expect(await store.getChatHistory("s", { limit: 3 })).toHaveLength(3);
          await store.popMessage("s");
          expect((await store.popMessage("s")).messages).toHaveLength(2);
        },
      ),
    ),
    behaviour(
      "a UIMessage with a tool call and its own result is a group of its own",
      ["G11"],
      async (store) => {
        const part = { type: "tool-look", toolCallId: "c1", state: "output-available", input: {}, output: 1 };
        await store.addMessage("s", [user("look"), { role: "assistant", parts: [part] }]);
        expect(await store.getChatHistory("s", { limit: 1 })).toMatchObject([
          { parts: [{ toolCallId: "c1" }] },
        ]);
      },
    ),
    behaviour(
      "the messages selected before another one have every call of a tool result",
      ["G11"],
      async (store) => {
        const { messages } = await store.addMessage("s", conversation);
        for (const message of messages) {
          const before = await store.getChatHistory("s", { before: message.id, limit: 3 });
          for (const { results } of before.map(toolLinksOf)) {
            const called = before.flatMap((one) => toolLinksOf(one).calls);
            for (const result of results) expect(called).toContain(result);
          }
        }
      },
    ),
  ],
};
