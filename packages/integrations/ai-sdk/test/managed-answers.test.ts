import { type AgentEvent, createManagedAgent } from "@sessions/managed-agent";
import { type ModelMessage, modelMessageSchema, streamText } from "ai";
import { storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { saying, scriptedModel } from "./scripted-model.mjs";

const call = (toolCallId: string): AgentEvent => ({
  type: "tool-call",
  toolCallId,
  toolName: "look",
  input: { at: "it" },
});
const result = { type: "tool-result", toolName: "look" } as const;

/** An answer with everything that a managed agent makes messages of. */
const SCRIPT: readonly AgentEvent[] = [
  { type: "reasoning-delta", text: "What do they want?" },
  { type: "text-delta", text: "Let me look." },
  call("c1"),
  call("c2"),
  { ...result, toolCallId: "c1", output: { seen: [1, null] } },
  { ...result, toolCallId: "c2", output: "nothing", isError: true },
  { type: "text-delta", text: "The answer is 42." },
  { type: "usage", usage: { inputTokens: 10 } },
  call("c3"),
];

function areModelMessages(messages: readonly unknown[]): messages is ModelMessage[] {
  return messages.every((message) => modelMessageSchema.safeParse(message).success);
}

test.each(storeKinds)(
  "the SDK gets the messages of a managed agent unchanged, also those of an incomplete turn: $name",
  async ({ open }) => {
    const store = await open();
    let turns = 0;
    const agent = createManagedAgent({
      store,
      sessionId: "s",
      config: {},
      runner: async function* () {
        yield* SCRIPT;
        if (++turns === 2) throw new Error("the model is down");
      },
    });
    await agent.execute("What is it?");
    await expect(agent.execute("And that?")).rejects.toThrow("the model is down");
    const { messages } = await agent.retrieveSession("s");
    if (!areModelMessages(messages)) throw new Error("these are no ModelMessages");
    const model = scriptedModel([saying("Yes.")]);
    const said = streamText({ model, messages: [...messages, { role: "user", content: "Sure?" }] });
    expect(await said.text).toBe("Yes.");
    expect(model.doStreamCalls[0]?.prompt.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "tool", "assistant", "tool"],
      ...["user", "assistant", "tool", "assistant", "tool"],
      "user",
    ]);
    expect(model.doStreamCalls[0]?.prompt.slice(1, 3)).toMatchObject([
      {
        content: [
          { type: "reasoning", text: "What do they want?" },
          { type: "text", text: "Let me look." },
          { type: "tool-call", toolCallId: "c1", toolName: "look", input: { at: "it" } },
          { type: "tool-call", toolCallId: "c2" },
        ],
      },
      {
        content: [
          { toolCallId: "c1", output: { type: "json", value: { seen: [1, null] } } },
          { toolCallId: "c2", output: { type: "error-text", value: "nothing" } },
        ],
      },
    ]);
  },
);
