import { type Message, SessionError } from "@sessions/protocol";
import {
  answerTextOf,
  Gate,
  historyProblems,
  memoryPlace,
  SCRIPT,
  SCRIPT_TEXT,
  storeKinds,
  withTurns,
} from "test-tools";
import { expect, test } from "vitest";
import { type AgentEvent, createManagedAgent, type RunnerTurn } from "../src/index.js";
import { agentWith } from "./agent-with.js";
import { scripted } from "./scripted-runner.js";

async function collected(events: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const turnIdsOf = (messages: readonly Message[]): readonly unknown[] =>
  messages.map((message) => message.metadata?.["turnId"]);

test.each(storeKinds)("a turn is streamed as it comes and stored completely, on $name", async (kind) => {
  const { agent } = await agentWith({ store: await (await kind.place()).open() });
  const stream = agent.stream("What is it?", { turnId: "t1" });
  expect(await collected(stream)).toEqual(SCRIPT);
  const result = await stream.result;
  expect(result).toMatchObject({ sessionId: "s", turnId: "t1", duplicate: false, text: "The answer is 42." });
  expect(result.usage).toEqual({ inputTokens: 10, outputTokens: 5 });

  const session = await agent.retrieveSession("s");
  expect(session.messages.slice(1)).toEqual(result.messages);
  expect(session.messages.map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "tool",
    "tool",
    "assistant",
  ]);
  expect(turnIdsOf(session.messages)).toEqual(["t1", "t1", "t1", "t1", "t1"]);
  expect(session.messages[1]?.content).toMatchObject([
    { type: "reasoning", text: "What do they want? " },
    { type: "text", text: "Let me look. " },
    { type: "tool-call", toolCallId: "call-1", input: { at: "it" } },
    { type: "tool-call", toolCallId: "call-2" },
  ]);
  expect(session.messages[2]?.content).toMatchObject([{ output: { type: "json", value: { seen: 1 } } }]);
  expect(session.messages[3]?.content).toMatchObject([{ output: { type: "error-text", value: "nothing" } }]);
  expect(historyProblems(session.messages)).toEqual([]);
  expect(session).toMatchObject({
    revision: result.revision,
    labels: { agent: "a" },
    lastTurn: { outcome: "completed" },
  });
  expect(await agent.usage()).toEqual({ inputTokens: 10, outputTokens: 5, turns: 1 });
  expect(await agent.state()).toEqual({ mood: "sure" });
});

test("a runner gets the conversation, the prompt last, the config and the state", async () => {
  const turns: RunnerTurn[] = [];
  const { agent } = await agentWith({
    runner: (turn) => {
      turns.push(turn);
      return scripted()(turn);
    },
  });
  await agent.execute("First.");
  const prompt = {
    role: "user",
    content: [{ type: "text", text: "Second." }],
    metadata: { from: "web" },
  };
  await agent.execute(prompt, { turnId: "t2" });
  const [, second] = turns;
  expect(second).toMatchObject({
    sessionId: "s",
    turnId: "t2",
    config: { name: "a" },
    state: { mood: "sure" },
    signal: { aborted: false },
  });
  expect(second?.messages.map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "tool",
    "tool",
    "assistant",
    "user",
  ]);
  expect(second?.messages.at(-1)).toMatchObject({
    content: [{ text: "Second." }],
    metadata: { from: "web" },
  });
  expect(second?.context).toMatchObject({ omitted: { messages: 0 }, tokens: expect.any(Number) });
});

test("a completed turn id returns the stored result without a call of the model, even if its messages were archived", async () => {
  let asked = 0;
  const { agent, store } = await agentWith({
    runner: (turn) => {
      asked++;
      return scripted()(turn);
    },
  });
  const first = await agent.execute("What is it?", { turnId: "t1" });
  for (let n = 0; n < 30; n++) await agent.execute(`And ${n}?`);
  const check = async (): Promise<void> => {
    const stream = agent.stream("What is it?", { turnId: "t1" });
    const events = (await collected(stream)).filter((event) => event.type !== "usage");
    expect(await stream.result).toMatchObject({ ...first, duplicate: true, revision: expect.any(Number) });
    const told = SCRIPT.filter((event) => event.type !== "usage" && event.type !== "state");
    expect(events.map((event) => event.type).filter((type, n, all) => type !== all[n - 1])).toEqual(
      told.map((event) => event.type).filter((type, n, all) => type !== all[n - 1]),
    );
  };
  await check();
  await store.archiveMessages("s", { keepRecent: 20 });
  await check();
  expect(asked).toBe(31);
  expect(await agent.usage()).toMatchObject({ turns: 31 });
});

test("the same turn id in another process is TURN_BUSY, or a duplicate for a caller that waits", async () => {
  const gate = new Gate();
  const { agent, store } = await agentWith({
    runner: scripted(SCRIPT, { index: 3, act: () => gate.passed }),
  });
  const running = agent.execute("What is it?", { turnId: "t1" });
  await gate.reached;
  await expect(agent.execute("What is it?", { turnId: "t1" })).rejects.toMatchObject({
    code: "TURN_BUSY",
    turnId: "t1",
  });
  const { agent: patient } = await agentWith({ store, queue: { waitMs: 30_000 } });
  const waiting = patient.execute("What is it?", { turnId: "t1" });
  await expect.poll(async () => (await store.getSession("s"))?.turn?.waiting).toBe(1);
  gate.open();
  expect(await running).toMatchObject({ duplicate: false });
  expect(await waiting).toMatchObject({ duplicate: true, text: "The answer is 42." });
});

test("two concurrent turns of one agent object do not mix their answers", async () => {
  const { agent } = await agentWith({ queue: { waitMs: 30_000 } });
  await Promise.all([agent.execute("a", { turnId: "a" }), agent.execute("b", { turnId: "b" })]);
  const { messages } = await agent.retrieveSession("s");
  expect(turnIdsOf(messages)).toEqual([...Array(5).fill("a"), ...Array(5).fill("b")]);
});

test("a running turn keeps its session when its agent changes to another one", async () => {
  const gate = new Gate();
  const { agent, store } = await agentWith({
    runner: scripted(SCRIPT, { index: 3, act: () => gate.passed }),
  });
  await store.createSession("other");
  const running = agent.execute("What is it?");
  await gate.reached;
  await agent.resume("other");
  await agent.resetSession({ sessionId: "new" });
  gate.open();
  expect(await running).toMatchObject({ sessionId: "s" });
  expect(answerTextOf((await agent.retrieveSession("s")).messages)).toBe(SCRIPT_TEXT);
  for (const id of ["other", "new"]) expect((await agent.retrieveSession(id)).messages).toEqual([]);
  expect(agent.sessionId).toBe("new");
});

test.each(storeKinds)(
  "a turn that does not know it is lost can write nothing more, on $name",
  async (kind) => {
    const place = await kind.place();
    const [real, elsewhere] = [await place.open(), await place.open()];
    const deaf = new AbortController().signal;
    const store = withTurns(real, () => ({ signal: deaf }));
    let revision: number | undefined;
    const runner = async function* (): AsyncGenerator<AgentEvent> {
      yield { type: "text-delta", text: "before " };
      ({ revision } = await elsewhere.interruptTurn("s", { force: true }));
      for (let n = 0; n < 200; n++) yield { type: "text-delta", text: "after " };
    };
    const { agent } = await agentWith({ store, runner, checkpoint: { everyChars: 1 } });
    await expect(agent.execute("Go.")).rejects.toMatchObject({ code: "TURN_LOST" });
    const session = await agent.retrieveSession("s");
    expect(session.revision).toBe(revision);
    expect(answerTextOf(session.messages)).not.toContain("after");
  },
);

test("a failed turn that runs again has one prompt, after the other messages, and one answer", async () => {
  let fails = true;
  const { agent } = await agentWith({
    runner: scripted(SCRIPT, {
      index: 6,
      act: async () => {
        if (fails) throw new Error("the model is down");
      },
    }),
  });
  await expect(agent.execute("a", { turnId: "a" })).rejects.toThrow("the model is down");
  fails = false;
  await agent.execute("b", { turnId: "b" });
  await agent.execute("a", { turnId: "a" });
  const { messages } = await agent.retrieveSession("s");
  expect(turnIdsOf(messages)).toEqual([...Array(5).fill("b"), ...Array(5).fill("a")]);
  expect(messages[5]).toMatchObject({ role: "user", content: "a" });
  expect(historyProblems(messages)).toEqual([]);
  await expect(agent.execute("another text", { turnId: "c" })).resolves.toBeDefined();
  await expect(agent.execute("not the text of a", { turnId: "a" })).resolves.toMatchObject({
    duplicate: true,
  });
});

test("a turn that waits for others can be aborted", async () => {
  const gate = new Gate();
  const { agent } = await agentWith({
    queue: { waitMs: 60_000 },
    runner: scripted(SCRIPT, { index: 0, act: () => gate.passed }),
  });
  const running = agent.execute("a");
  await gate.reached;
  const waiting = agent.execute("b", { turnId: "b" });
  expect(await agent.interrupt({ turnId: "b" })).toBe(true);
  await expect(waiting).rejects.toMatchObject({ code: "TURN_LOST", reason: "interrupted" });
  expect(await agent.interrupt({ turnId: "nobody" })).toBe(false);
  gate.open();
  await running;
  expect(
    (await agent.retrieveSession("s")).messages.filter((message) => message.role === "user"),
  ).toHaveLength(1);
});

test("a prompt that does not fit is TOO_LARGE, and the turn fails", async () => {
  const { agent } = await agentWith({ context: { maxTokens: 10 } });
  const long = agent.execute("word ".repeat(200), { turnId: "t1" });
  await expect(long).rejects.toSatisfy((error) => SessionError.is(error, "TOO_LARGE"));
  expect((await agent.retrieveSession("s")).lastTurn).toMatchObject({ turnId: "t1", outcome: "failed" });
});

test.each<[string, object]>([
  ["store", { store: undefined }],
  ["runner", { runner: "gpt" }],
  ["config", { config: null }],
  ["config.tools", { config: { tools: "all" } }],
  ["sessionId", { sessionId: "" }],
  ["checkpoint.everyChars", { checkpoint: { everyChars: 0 } }],
  ["context.keepTokens", { context: { keepTokens: 0 } }],
  ["queue.waitMs", { queue: { waitMs: -1 } }],
  ["onDisconnect", { onDisconnect: "wait" }],
  ["ttlMs", { ttlMs: 0.5 }],
  ["compute.shutdown", { compute: { provision: () => undefined } }],
])("a wrong %s is refused with its path", async (path, wrong) => {
  const options = { store: await memoryPlace().open(), runner: scripted(), config: {}, ...wrong };
  expect(() => Reflect.apply(createManagedAgent, undefined, [options])).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT", path: `options.${path}` }),
  );
});

test("tool calls, tool results and whole messages are stored before the runner is asked for its next event", async () => {
  const store = await memoryPlace().open();
  const events: readonly AgentEvent[] = [
    { type: "tool-call", toolCallId: "c", toolName: "look", input: {} },
    { type: "tool-result", toolCallId: "c", toolName: "look", output: "seen" },
    { type: "message", message: { role: "assistant", content: "All of it." } },
  ];
  const stored: number[] = [];
  const agent = createManagedAgent({
    store,
    sessionId: "s",
    config: {},
    async *runner() {
      for (const event of events) {
        yield event;
        stored.push((await store.getSession("s"))?.messages.length ?? 0);
      }
    },
  });
  await agent.execute("Look.");
  expect(stored).toEqual([2, 3, 4]);
});
