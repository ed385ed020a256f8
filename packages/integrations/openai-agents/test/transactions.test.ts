import {
  Agent,
  type AgentInputItem,
  MemorySession,
  RunContext,
  run,
  type SessionHistoryTransaction,
  setTracingDisabled,
  user,
} from "@openai/agents";
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from "@openai/agents/testing";
import { append, type MutationOptions, SessionError, type SessionStore } from "@sessions/protocol";
import { storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { type OpenAISession, openaiSession } from "../src/index.js";
import { adder } from "./scripted-agent.mjs";

setTracingDisabled(true);

const replace = (
  expectedSuffix: AgentInputItem[],
  replacement: AgentInputItem[],
): SessionHistoryTransaction => ({
  type: "replace_suffix",
  expectedSuffix,
  replacement,
});
const appended = (...items: AgentInputItem[]): SessionHistoryTransaction => ({ type: "append_items", items });
const call = (callId: string, args: string): Extract<AgentInputItem, { type: "function_call" }> => ({
  type: "function_call",
  callId,
  name: "add",
  arguments: args,
});

async function sessionOn({ open }: (typeof storeKinds)[number]): Promise<[OpenAISession, SessionStore]> {
  const store = await open();
  return [openaiSession(store, "s"), store];
}

test.each(storeKinds)("a repeated operation changes nothing, whatever came after it: $name", async (kind) => {
  const [session, store] = await sessionOn(kind);
  const first = { operationId: "op1", transaction: appended(user("a"), user("a")) };
  for (let n = 0; n < 2; n++) await session.applyHistoryTransaction(first);
  const second = { operationId: "op2", transaction: replace([user("a")], [user("b"), user("c")]) };
  await session.applyHistoryTransaction(second);
  expect(await store.getSession("s")).toMatchObject({ revision: 2 }); // one commit each
  await session.addItems([user("d")]);
  await session.applyHistoryTransaction(second);
  await session.applyHistoryTransaction(first);
  expect(await session.getItems()).toEqual(["a", "b", "c", "d"].map((text) => user(text)));
});

test.each(storeKinds)(
  "other content under the same id, or another suffix, changes nothing: $name",
  async (kind) => {
    const [session] = await sessionOn(kind);
    await session.applyHistoryTransaction({ operationId: "op", transaction: appended(user("a")) });
    await expect(
      session.applyHistoryTransaction({ operationId: "op", transaction: appended(user("b")) }),
    ).rejects.toMatchObject({ code: "COMMIT_ID_REUSED" });
    const changed = { operationId: "op2", transaction: replace([user("x")], [user("y")]) };
    await expect(session.applyHistoryTransaction(changed)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    const tooLong = { operationId: "op3", transaction: replace([user("x"), user("a")], []) };
    await expect(session.applyHistoryTransaction(tooLong)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    expect(await session.getItems()).toEqual([user("a")]);
    // It failed, so its id is free.
    await session.applyHistoryTransaction({ ...changed, transaction: replace([user("a")], [user("y")]) });
    expect(await session.getItems()).toEqual([user("y")]);
  },
);

test.each<[string, string, unknown]>([
  ["an empty id", " ", appended(user("a"))],
  ["no transaction", "op", undefined],
  ["a kind that nobody knows", "op", { type: "shuffle" }],
  ["items that are none", "op", { type: "append_items", items: [7] }],
])("%s is refused", async (_, operationId, transaction) => {
  const [kind] = storeKinds;
  if (kind === undefined) throw new Error("there is a kind");
  const [session, store] = await sessionOn(kind);
  const args = JSON.parse(JSON.stringify({ operationId, transaction }));
  await expect(session.applyHistoryTransaction(args)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(await store.sessionExists("s")).toBe(false);
});

test.each(storeKinds)(
  "a repeated operation is recognized after its commit id is forgotten: $name",
  async (kind) => {
    const [session, store] = await sessionOn(kind);
    await session.addItems([user("a")]);
    const once = { operationId: "op1", transaction: appended(user("b")) };
    const twice = { operationId: "op2", transaction: replace([user("b")], [user("c")]) };
    await session.applyHistoryTransaction(once);
    await session.applyHistoryTransaction(twice);
    // A bundle without its memory is what the session is a day and 256 commits later.
    const bundle = await store.exportSession("s");
    const forgetful = { ...bundle, session: { ...bundle.session, commits: { entries: [], horizon: 0 } } };
    await store.importSession(forgetful, { newId: "later" });
    const later = openaiSession(store, "later");
    await later.applyHistoryTransaction(twice);
    expect(await later.getItems()).toEqual([user("a"), user("c")]);
    const other = { ...twice, transaction: replace([user("b")], [user("d")]) };
    await expect(later.applyHistoryTransaction(other)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await later.applyHistoryTransaction({ operationId: "op3", transaction: appended(user("e")) });
  },
);

test.each(storeKinds)("calls are replaced as the SDK's own session replaces them: $name", async (kind) => {
  const [session] = await sessionOn(kind);
  const items = [user("a"), call("c1", "{}"), call("c2", "{}"), call("c1", '{"again":1}'), user("b")];
  const oracle = new MemorySession({ initialItems: items });
  await session.addItems(items);
  const mutations = [
    { type: "replace_function_call", callId: "c1", replacement: call("c1", '{"new":1}') } as const,
    { type: "replace_function_call", callId: "c2", replacement: call("c3", "{}") } as const,
    { type: "replace_function_call", callId: "c3", replacement: call("c3", '{"newer":1}') } as const,
    { type: "replace_function_call", callId: "absent", replacement: call("absent", "{}") } as const,
  ];
  for (const one of [session, oracle]) await one.applyHistoryMutations({ mutations });
  expect(await session.getItems()).toEqual(await oracle.getItems());
});

test.each(storeKinds)(
  "a compaction replaces the history in one step and loses nothing: $name",
  async (kind) => {
    const [session, store] = await sessionOn(kind);
    const compaction: AgentInputItem = { type: "compaction", encrypted_content: "x", id: "cmp_1" };
    await session.addItems([user("a"), user("b")]);
    const before = (await store.getSession("s"))?.revision ?? 0;
    await session.replaceHistoryWithCompaction([compaction, user("b")]);
    const after = await store.getSession("s");
    expect(after?.revision).toBe(before + 1);
    expect(await session.getItems()).toEqual([compaction, user("b")]);
    const [archived] = after?.archives ?? [];
    expect(archived?.summary.status).toBe("done");
    const { messages } = await store.getArchive("s", archived?.id ?? "");
    expect(messages.map(({ item }) => item)).toEqual([user("a"), user("b")]);
    const fresh = openaiSession(store, "fresh");
    await fresh.replaceHistoryWithCompaction([compaction]);
    expect(await fresh.getItems()).toEqual([compaction]);
  },
);

test.each(storeKinds.flatMap((kind) => [false, true].map((stream) => ({ ...kind, stream }))))(
  "a message that others add while a model compacts is kept behind the compaction: $name, stream: $stream",
  async ({ open, stream }) => {
    const store = await open();
    const before = [user("a"), user("b")];
    await openaiSession(store, "s").addItems(before);
    const compaction: AgentInputItem = { type: "compaction", encrypted_content: "x", id: "cmp_1" };
    const answer = assistantMessage("Yes.", { id: "answer" });
    const model = new ScriptedModel([
      [functionCall("add", { a: 1, b: 2 }, { callId: "own" })],
      modelResponder(async () => {
        await openaiSession(store, "s").addItems([user("from elsewhere"), call("c1", "{}")]);
        return [compaction, answer];
      }),
    ]);
    const agent = new Agent({ name: "a", model, tools: [adder()] });
    const session = openaiSession(store, "s");
    if (stream) await (await run(agent, "Well?", { session, stream })).completed;
    else await run(agent, "Well?", { session });
    const items = await openaiSession(store, "s").getItems();
    expect(items).toEqual([compaction, answer, user("from elsewhere"), call("c1", "{}")]);
    const { archives = [] } = (await store.getSession("s")) ?? {};
    const archive = await store.getArchive("s", archives[0]?.id ?? "");
    expect(archive.messages.map(({ item }) => item).slice(0, 2)).toEqual(before);
  },
);

test.each(storeKinds)(
  "items that a run has added itself are compacted, any number of times: $name",
  async (kind) => {
    const [session, store] = await sessionOn(kind);
    const context = new RunContext({});
    const compaction: AgentInputItem = { type: "compaction", encrypted_content: "x" };
    await session.addItems([user("a")]);
    expect(await session.getItems(undefined, context)).toEqual([user("a")]);
    await session.addItems([user("own")], context);
    await openaiSession(store, "s").addItems([user("from elsewhere")]);
    const transaction = appended(user("own too"));
    await session.applyHistoryTransaction({ operationId: "op", transaction }, context);
    await session.getItems(undefined, context); // the SDK looks again; its model does not
    for (const kept of ["own too", "last"]) {
      await session.replaceHistoryWithCompaction([compaction, user(kept)], context);
      expect(await session.getItems()).toEqual([compaction, user(kept), user("from elsewhere")]);
    }
    const { archives = [] } = (await store.getSession("s")) ?? {};
    const counts = archives.map(({ messageCount }) => messageCount);
    expect(counts).toEqual([3, 2]);
  },
);

test.each(storeKinds)("an operation whose reply is lost has its effect once: $name", async (kind) => {
  const store = await kind.open();
  const session = openaiSession(losingReplies(store), "s");
  await session.addItems([user("a"), user("a")]);
  await session.addItems([user("b")]);
  expect(await session.popItem()).toEqual(user("b"));
  await session.applyHistoryTransaction({ operationId: "op", transaction: appended(user("c")) });
  expect(await session.getItems()).toEqual([user("a"), user("a"), user("c")]);
});

/** Carries every second change out and then fails, as a connection does that breaks before the reply. */
function losingReplies(store: SessionStore): SessionStore {
  let calls = 0;
  const lossy = <Result>(send: (options: MutationOptions) => Promise<Result>) => {
    return async (options: MutationOptions = {}): Promise<Result> => {
      const commitId = options.commitId ?? `lost-${calls}`;
      const isLost = calls++ % 2 === 0;
      const result = await send({ ...options, commitId });
      if (isLost) throw SessionError.of("OUTCOME_UNKNOWN", "The reply was lost.", { commitId });
      return result;
    };
  };
  return Object.assign(Object.create(store), {
    addMessage: (id: string, messages: AgentInputItem[], options?: MutationOptions) =>
      lossy((named) => store.commit(id, append(JSON.parse(JSON.stringify(messages))), named))(options),
    updateSession: (id: string, compute: () => [], options?: MutationOptions) =>
      lossy((named) => store.updateSession(id, compute, named))(options),
    getSession: store.getSession.bind(store),
  });
}
