import type { JsonObject, OperationInput } from "@sessions/protocol";
import { historyProblems, memoryPlace, SCRIPT } from "test-tools";
import { expect, test } from "vitest";
import { Draft } from "../src/draft/draft.js";
import type { AgentEvent } from "../src/index.js";

function draftWith(...events: readonly AgentEvent[]): Draft {
  let ids = 0;
  const draft = new Draft("t1", () => `m${++ids}`);
  for (const event of events) draft.add(event);
  return draft;
}

const text = (delta: string): AgentEvent => ({ type: "text-delta", text: delta });
const thought = (delta: string): AgentEvent => ({ type: "reasoning-delta", text: delta });
const call = (id: string): AgentEvent => ({ type: "tool-call", toolCallId: id, toolName: "look", input: {} });
const result = (id: string): AgentEvent => ({
  type: "tool-result",
  toolCallId: id,
  toolName: "look",
  output: 1,
});
const part = (id: string): object => ({ type: "tool-call", toolCallId: id, toolName: "look", input: {} });

/** What a store makes of operations. */
async function stored(ops: readonly OperationInput[]): Promise<readonly unknown[]> {
  const store = await memoryPlace().open();
  await store.commit("s", ops);
  return ((await store.getSession("s"))?.messages ?? []).map(({ role, content, status }) => ({
    role,
    content,
    ...(status === undefined ? {} : { status }),
  }));
}

test("what comes between two checkpoints is as few operations as keep its order", () => {
  const draft = draftWith(thought("a"), thought("b"), text("c"), text("d"));
  expect(draft.pendingChars).toBe(4);
  expect(draft.take()).toEqual([
    {
      op: "append",
      messages: [
        {
          id: "m1",
          role: "assistant",
          content: [
            { type: "reasoning", text: "ab" },
            { type: "text", text: "cd" },
          ],
          status: "partial",
          metadata: { turnId: "t1" },
        },
      ],
    },
  ]);
  expect(draft.pendingChars).toBe(0);
  expect(draft.take()).toEqual([]);
  for (const event of [text("e"), call("x"), call("y"), thought("f"), text("g"), thought("h")])
    draft.add(event);
  expect(draft.take()).toEqual([
    { op: "extend", messageId: "m1", text: "e", parts: [part("x"), part("y")] },
    { op: "extend", messageId: "m1", reasoning: "f", text: "g" },
    { op: "extend", messageId: "m1", reasoning: "h" },
  ]);
});

test("plain text is a string, however it was cut", async () => {
  const draft = draftWith(text("a"));
  const ops = [...draft.take()];
  draft.add(text("b"));
  ops.push(...draft.take());
  draft.add(text("c"));
  expect(await stored([...ops, ...draft.finish()])).toEqual([{ role: "assistant", content: "abc" }]);
});

test("nothing stands between a call and its result, whatever the runner says meanwhile", async () => {
  const events = [
    call("x"),
    call("y"),
    result("x"),
    text("still looking"),
    call("z"),
    result("z"),
    result("y"),
    text("so"),
  ];
  const messages = await stored(draftWith(...events).finish());
  expect(messages).toMatchObject([
    {
      role: "assistant",
      content: [part("x"), part("y"), { type: "text", text: "still looking" }, part("z")],
    },
    { role: "tool" },
    { role: "tool" },
    { role: "tool" },
    { role: "assistant", content: "so" },
  ]);
});

test("the same answer comes of the same events, wherever checkpoints fall", async () => {
  const whole = await stored(draftWith(...SCRIPT).finish());
  for (let every = 1; every < SCRIPT.length; every++) {
    const draft = draftWith();
    const ops: OperationInput[] = [];
    for (const [index, event] of SCRIPT.entries()) {
      draft.add(event);
      if (index % every === 0) ops.push(...draft.take());
    }
    expect(await stored([...ops, ...draft.finish()])).toEqual(whole);
  }
});

test("an answer that is given up keeps what was said, and answers its open calls", async () => {
  const store = await memoryPlace().open();
  const draft = draftWith(text("well"), call("x"), call("y"), result("y"), {
    type: "usage",
    usage: { n: 2 },
  });
  await store.commit("s", draft.abandon());
  const session = await store.getSession("s");
  expect(session?.messages).toMatchObject([
    { role: "assistant", status: "partial", metadata: { turnId: "t1", usage: { n: 2 } } },
    { role: "tool", content: [{ toolCallId: "y", output: { type: "json", value: 1 } }] },
    { role: "tool", content: [{ toolCallId: "x", toolName: "look", output: { type: "error-text" } }] },
  ]);
  expect(draft.counters).toEqual({ n: 2 });
});

test("whole messages of the runner's making go in as they are, marked as the turn's", async () => {
  const store = await memoryPlace().open();
  const openAi = { role: "assistant", content: null, tool_calls: [{ id: "x", function: { name: "look" } }] };
  const answer = { role: "tool", tool_call_id: "x", content: "seen" };
  const draft = draftWith(
    text("first"),
    ...[openAi, answer].map((message) => ({ type: "message", message }) as const),
  );
  draft.add(text("then"));
  await store.commit("s", draft.finish());
  const messages = (await store.getSession("s"))?.messages ?? [];
  expect(messages).toMatchObject([{ content: "first" }, openAi, answer, { content: "then" }]);
  expect(messages.every((message) => message.metadata?.["turnId"] === "t1")).toBe(true);
  expect(historyProblems(messages)).toEqual([]);
  expect(draft.messageIds).toEqual(messages.map((message) => message.id));
});

test("what else there is to keep about a message goes into its metadata, whenever it comes", async () => {
  const store = await memoryPlace().open();
  const about = (metadata: JsonObject): AgentEvent => ({ type: "metadata", metadata });
  const draft = draftWith(about({ first: 1, again: "old" }), text("a"));
  await store.commit("s", draft.take());
  for (const event of [about({ again: "new" }), call("x"), result("x"), about({ alone: true })])
    draft.add(event);
  await store.commit("s", draft.finish());
  const messages = (await store.getSession("s"))?.messages ?? [];
  expect(messages.map(({ role, metadata }) => [role, metadata])).toEqual([
    ["assistant", { turnId: "t1", first: 1, again: "new" }],
    ["tool", { turnId: "t1" }],
    ["assistant", { turnId: "t1", alone: true }],
  ]);
});

test.each<[string, readonly unknown[]]>([
  ["a kind that nobody knows", [{ type: "song" }]],
  ["text that is none", [{ type: "text-delta", text: 7 }]],
  ["a result without a call", [result("x")]],
  ["a second result", [call("x"), result("x"), result("x")]],
  ["a call twice", [call("x"), call("x")]],
  ["a call without a name", [{ type: "tool-call", toolCallId: "x", toolName: "", input: {} }]],
  ["a message between a call and its result", [call("x"), { type: "message", message: { role: "user" } }]],
  [
    "text while a whole message waits for its result",
    [{ type: "message", message: { role: "assistant", content: [part("x")] } }, text("meanwhile")],
  ],
  ["usage that is not whole", [{ type: "usage", usage: { cost: 0.5 } }]],
  ["usage beyond counting", [{ type: "usage", usage: { n: 2 ** 53 } }]],
  ["metadata that is no object", [{ type: "metadata", metadata: [] }]],
  ["metadata of the agent's own", [{ type: "metadata", metadata: { turnId: "t2" } }]],
  ["state that is no object", [{ type: "state", patch: null }]],
])("%s is refused", (_, events) => {
  const draft = draftWith();
  expect(() => {
    for (const event of events) draft.add(JSON.parse(JSON.stringify(event)));
  }).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});
