import type { Message, SummaryTask } from "@sessions/protocol";
import { historyProblems, memoryPlace } from "test-tools";
import { expect, test } from "vitest";
import {
  type AgentEvent,
  createManagedAgent,
  type ManagedAgent,
  type ManagedAgentOptions,
  type Warning,
} from "../src/index.js";

/** One token for each message. */
const countTokens = (): number => 1;

async function talker(context: NonNullable<ManagedAgentOptions["context"]>): Promise<{
  readonly agent: ManagedAgent;
  readonly sent: (readonly Message[])[];
  readonly warnings: Warning[];
}> {
  const [sent, warnings]: [(readonly Message[])[], Warning[]] = [[], []];
  const agent = createManagedAgent({
    store: await memoryPlace().open(),
    sessionId: "s",
    config: {},
    context: { countTokens, ...context },
    onWarning: (warning) => warnings.push(warning),
    async *runner({ messages }): AsyncGenerator<AgentEvent> {
      sent.push(messages);
      yield { type: "text-delta", text: `answer ${sent.length}` };
    },
  });
  for (let n = 1; n <= 10; n++) await agent.execute(`question ${n}`);
  return { agent, sent, warnings };
}

test("the model gets the newest messages that fit, and without a summarizer nothing is archived", async () => {
  const { agent, sent } = await talker({ maxTokens: 5 });
  expect(sent.at(-1)).toHaveLength(5);
  expect(sent.at(-1)?.at(-1)).toMatchObject({ content: "question 10" });
  expect(await agent.retrieveSession("s")).toMatchObject({ messageCount: 20, archives: [] });
});

test("messages that no longer fit are archived, and the model gets their summary", async () => {
  const tasks: SummaryTask[] = [];
  const { agent, sent, warnings } = await talker({
    maxTokens: 8,
    keepTokens: 3,
    summarize: (task) => {
      tasks.push(task);
      return `${task.previous ?? ""}${task.messages.length}.`;
    },
  });
  const { archives, messageCount } = await agent.retrieveSession("s");
  expect(archives.length).toBe(tasks.length);
  expect(archives.length).toBeGreaterThan(1);
  expect(archives.reduce((sum, archive) => sum + archive.messageCount, messageCount)).toBe(20);
  // Up to eight messages fit. After that: the summary, and the newest three.
  expect(sent.slice(0, 5).map(({ length }) => length)).toEqual([1, 3, 5, 7, 4]);
  expect(sent[4]?.map(({ content }) => content)).toEqual(["6.", "question 4", "answer 4", "question 5"]);
  expect(sent.at(-1)?.[0]).toMatchObject({ role: "system", content: expect.stringContaining(".") });
  expect(sent.at(-1)?.at(-1)).toMatchObject({ content: "question 10" });
  expect(warnings).toEqual([]);
});

test("a summarizer that fails loses no message and no turn, is reported, and is called again later", async () => {
  let calls = 0;
  const { agent, sent, warnings } = await talker({
    maxTokens: 8,
    keepTokens: 3,
    summarize: () => {
      if (++calls < 3) throw new Error("no summary today");
      return "all of it";
    },
  });
  expect(warnings.length).toBe(2);
  expect(warnings[0]).toMatchObject({ sessionId: "s", error: new Error("no summary today") });
  const { archives, messageCount } = await agent.retrieveSession("s");
  expect(archives.every((archive) => archive.summary.status === "done")).toBe(true);
  expect(archives.reduce((sum, archive) => sum + archive.messageCount, messageCount)).toBe(20);
  for (const messages of sent) expect(historyProblems(messages)).toEqual([]);
  expect(sent).toHaveLength(10);
});

test("a message that others add while a tool runs comes after the tool's result in the next context", async () => {
  const store = await memoryPlace().open();
  const call = (toolCallId: string): AgentEvent => ({
    type: "tool-call",
    toolCallId,
    toolName: "look",
    input: {},
  });
  const result = (toolCallId: string): AgentEvent => ({
    type: "tool-result",
    toolCallId,
    toolName: "look",
    output: 1,
  });
  const sent: (readonly Message[])[] = [];
  const agent = createManagedAgent({
    store,
    sessionId: "s",
    config: {},
    async *runner({ messages }): AsyncGenerator<AgentEvent> {
      sent.push(messages);
      if (sent.length > 1) return;
      yield call("a");
      yield call("b");
      await store.addMessage("s", { role: "user", content: "One more thing." });
      yield result("b");
      await store.addMessage("s", { role: "user", content: "And another." });
      yield result("a");
      yield { type: "text-delta", text: "Done." };
    },
  });
  await agent.execute("Look.");
  await agent.execute("And now?");
  // In the store they stay where they were added.
  expect((await agent.retrieveSession("s")).messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "tool",
    "user",
    "tool",
    "assistant",
    "user",
  ]);
  expect(historyProblems(sent[1] ?? [])).toEqual([]);
  expect(sent[1]?.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "tool",
    "user",
    "user",
    "assistant",
    "user",
  ]);
});

test("a message that others added behind the prompt of a failed turn stays behind it when the turn runs again", async () => {
  const store = await memoryPlace().open();
  const sent: (readonly Message[])[] = [];
  const agent = createManagedAgent({
    store,
    sessionId: "s",
    config: {},
    async *runner({ messages }): AsyncGenerator<AgentEvent> {
      sent.push(messages);
      if (sent.length === 1) throw new Error("the model is down");
      yield { type: "text-delta", text: "Here." };
    },
  });
  await expect(agent.execute("Where?", { turnId: "t1" })).rejects.toThrow("the model is down");
  await store.addMessage("s", { role: "user", content: "One more thing." });
  await agent.execute("Where?", { turnId: "t1" });
  expect(sent[1]?.map(({ content }) => content)).toEqual(["Where?", "One more thing."]);
});
