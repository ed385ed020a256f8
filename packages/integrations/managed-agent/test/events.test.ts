import { Gate, historyProblems, memoryPlace, SCRIPT } from "test-tools";
import { expect, test } from "vitest";
import { type AgentEvent, createManagedAgent } from "../src/index.js";
import { agentWith } from "./agent-with.js";
import { scripted } from "./scripted-runner.js";

const CALL: AgentEvent = { type: "tool-call", toolCallId: "c", toolName: "look", input: {} };
const RESULT: AgentEvent = { type: "tool-result", toolCallId: "c", toolName: "look", output: "seen" };

test("usage adds up and state changes when the turn ends, and not before", async () => {
  const gate = new Gate();
  const script: readonly AgentEvent[] = [
    { type: "usage", usage: { inputTokens: 10, outputTokens: 5 } },
    { type: "state", patch: { mood: "sure", draft: null } },
    { type: "text-delta", text: "Well." },
    { type: "usage", usage: { inputTokens: 7 } },
  ];
  const { agent, store } = await agentWith({
    checkpoint: { everyChars: 1 },
    runner: scripted(script, { index: script.length, act: () => gate.passed }),
  });
  await agent.setState({ draft: "old" });
  const running = agent.execute("?");
  await gate.reached;
  await expect.poll(async () => (await store.getSession("s"))?.messages.length).toBe(2);
  expect([await agent.usage(), await agent.state()]).toEqual([{}, { draft: "old" }]);
  gate.open();
  expect((await running).usage).toEqual({ inputTokens: 17, outputTokens: 5 });
  expect(await agent.usage()).toEqual({ inputTokens: 17, outputTokens: 5, turns: 1 });
  expect(await agent.state()).toEqual({ mood: "sure" });
});

test("every message of a turn has its turn id, the prompt is marked, and the last answer has the usage", async () => {
  const { agent } = await agentWith({ runner: scripted(SCRIPT) });
  await agent.execute("What is it?", { turnId: "t1" });
  const { messages } = await agent.retrieveSession("s");
  expect(messages.map(({ role, metadata }) => [role, metadata])).toEqual([
    ["user", { turnId: "t1", prompt: true }],
    ["assistant", { turnId: "t1" }],
    ["tool", { turnId: "t1" }],
    ["tool", { turnId: "t1" }],
    ["assistant", { turnId: "t1", usage: { inputTokens: 10, outputTokens: 5 } }],
  ]);
});

test("a call that is open when the runner ends gets an error result, and the turn completes", async () => {
  const { agent } = await agentWith({ runner: scripted([CALL]) });
  await agent.execute("Look.");
  const { messages, lastTurn } = await agent.retrieveSession("s");
  expect(lastTurn).toMatchObject({ outcome: "completed" });
  expect(historyProblems(messages)).toEqual([]);
  expect(messages.at(-1)).toMatchObject({
    role: "tool",
    content: [{ toolCallId: "c", toolName: "look", output: { type: "error-text" } }],
  });
});

test("a result without a call fails the turn with INVALID_ARGUMENT, and the text before it is kept", async () => {
  const { agent } = await agentWith({ runner: scripted([{ type: "text-delta", text: "Well." }, RESULT]) });
  await expect(agent.execute("Look.")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  const { messages, lastTurn } = await agent.retrieveSession("s");
  expect(lastTurn).toMatchObject({ outcome: "failed" });
  expect(messages.slice(1)).toMatchObject([{ content: "Well.", status: "interrupted" }]);
});

test("metadata events are stored with their message, and neither followers nor a second caller get them", async () => {
  const store = await memoryPlace().open();
  const gate = new Gate();
  const agent = createManagedAgent({
    store,
    sessionId: "s",
    config: {},
    runner: async function* () {
      await gate.passed;
      yield { type: "text-delta", text: "Hello." };
      yield { type: "metadata", metadata: { signature: "x" } };
    },
  });
  const running = agent.execute("Hi.", { turnId: "t1" });
  await gate.reached;
  const followed: string[] = [];
  for await (const { type } of agent.follow("s")) {
    followed.push(type);
    gate.open();
  }
  expect(followed).toEqual(["turn-began", "text-delta", "turn-ended"]);
  expect((await running).messages[0]?.metadata).toMatchObject({ signature: "x" });
  const told: string[] = [];
  for await (const { type } of agent.stream("Hi.", { turnId: "t1" })) told.push(type);
  expect(told).toEqual(["text-delta"]);
});
