import { convertToModelMessages, type UIMessage, validateUIMessages } from "ai";
import { storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { foldChunks } from "../src/answer/fold-chunks.js";
import { loadChat, loadMessages, saveMessages } from "../src/index.js";
import { ChunkReplay } from "../src/replay/chunk-replay.js";
import { allParts, CHUNK_TYPES, corpus } from "./corpus.js";

test("the SDK accepts the messages of the corpus", async () => {
  const messages = [...corpus()].filter(({ id }) => id !== "m-empty");
  await expect(validateUIMessages({ messages })).resolves.toHaveLength(messages.length);
});

test.each(storeKinds)(
  "every message is loaded as it was saved, however often it is saved: $name",
  async ({ open }) => {
    const store = await open();
    await saveMessages(store, "c", corpus());
    expect(await loadMessages(store, "c")).toStrictEqual([...corpus()]);
    const { revision } = await loadChat(store, "c");
    expect(await saveMessages(store, "c", corpus())).toMatchObject({ duplicate: true, revision });
  },
);

test.each(storeKinds)("the same id with new content replaces in its place: $name", async ({ open }) => {
  const store = await open();
  const user: UIMessage = { id: "u", role: "user", parts: [{ type: "text", text: "Hi." }] };
  const asked: UIMessage = {
    id: "a",
    role: "assistant",
    parts: [{ type: "dynamic-tool", toolName: "ask", toolCallId: "t", state: "input-available", input: {} }],
  };
  const later: UIMessage = { id: "l", role: "user", parts: [{ type: "text", text: "And?" }] };
  await saveMessages(store, "c", [user, asked, later]);
  const { revision } = await loadChat(store, "c");
  await store.addMessage("c", { role: "user", content: "from elsewhere", id: "x" });
  const output = { at: new Date(0), seen: new Map([["a", new Set([1])]]), size: 10n };
  const answered: UIMessage = {
    ...asked,
    parts: [
      {
        type: "dynamic-tool",
        toolName: "ask",
        toolCallId: "t",
        state: "output-available",
        input: {},
        output,
      },
    ],
  };
  await saveMessages(store, "c", [user, answered, later], { base: revision });
  const stored = await loadMessages(store, "c");
  expect(stored.map(({ id }) => id)).toEqual(["u", "a", "l", "x"]);
  expect(stored[1]?.parts[0]).toMatchObject({
    output: { at: "1970-01-01T00:00:00.000Z", seen: { a: [1] }, size: "10" },
  });
});

test.each(storeKinds)(
  "the list that is saved is the chat, in one commit, and what is unchanged is not written: $name",
  async ({ open }) => {
    const store = await open();
    const text = (id: string, said = id): UIMessage => ({
      id,
      role: "user",
      parts: [{ type: "text", text: said }],
    });
    await saveMessages(
      store,
      "c",
      ["a", "b", "c"].map((id) => text(id)),
    );
    const before = await store.getSession("c");
    await saveMessages(store, "c", [text("a"), text("c", "changed"), text("d")]);
    const after = await store.getSession("c");
    expect((await loadMessages(store, "c")).map(textIn)).toEqual(["a", "changed", "d"]);
    expect(after?.revision).toBe((before?.revision ?? 0) + 1);
    expect(after?.messages[0]).toEqual(before?.messages[0]);
  },
);

test("a chat that was rewritten since it was loaded is not saved over, and can be saved once it is loaded again", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const text = (id: string): UIMessage => ({ id, role: "user", parts: [{ type: "text", text: id }] });
  await saveMessages(store, "c", [text("a"), text("b")]);
  const { revision: base, messages } = await loadChat(store, "c");
  await store.removeMessages("c", "a");
  const save = (): Promise<unknown> => saveMessages(store, "c", [...messages, text("mine")], { base });
  await expect(save()).rejects.toMatchObject({ code: "REVISION_CONFLICT", expected: base, actual: base + 1 });
  const again = await loadChat(store, "c");
  await saveMessages(store, "c", [...again.messages, text("mine")], { base: again.revision });
  expect((await loadMessages(store, "c")).map(({ id }) => id)).toEqual(["b", "mine"]);
});

test("messages that were not written by a chat can be shown and sent", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  await store.addMessage("c", [
    { role: "user", content: "1 + 2?" },
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "t", toolName: "add", input: { a: 1 } }],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "t", toolName: "add", output: { type: "json", value: 3 } },
      ],
    },
    { role: "assistant", content: "Three." },
  ]);
  const messages = await loadMessages(store, "c");
  expect(messages.map(({ role, parts }) => [role, parts])).toMatchObject([
    ["user", [{ type: "text", text: "1 + 2?" }]],
    ["assistant", [{ type: "dynamic-tool", state: "output-available", output: 3 }]],
    ["assistant", [{ type: "text", text: "Three." }]],
  ]);
  expect(await convertToModelMessages(messages)).toHaveLength(4);
});

test("the replay of a message from its beginning gives the page that message, for every part", async () => {
  const told = new Set<string>();
  for (const message of corpus().filter(({ role }) => role === "assistant")) {
    const chunks = new ChunkReplay().chunks(message);
    for (const { type } of chunks) told.add(type);
    expect(normal((await foldChunks(emptied(message), JSON.parse(JSON.stringify(chunks)))).message)).toEqual(
      normal(message),
    );
  }
  // Fields that only the end of a stream, or changed metadata, would have.
  const others = ["error", "finish", "abort", "message-metadata"];
  expect(Object.keys(CHUNK_TYPES).filter((type) => !told.has(type))).toEqual(others);
});

test("the replay of a growing message gives the page that message", async () => {
  const whole: UIMessage = {
    id: "m",
    role: "assistant",
    parts: [...allParts()].filter((part) => !isStreaming(part)),
  };
  const stages: UIMessage[] = whole.parts.flatMap((part, index) => {
    const before = whole.parts.slice(0, index);
    const half =
      part.type === "text" || part.type === "reasoning"
        ? [{ ...part, text: part.text.slice(0, 2), state: "streaming" as const }]
        : [];
    const grown = half.map((one) => ({ ...whole, parts: [...before, one] }));
    return [...grown, { ...whole, parts: [...before, part] }];
  });
  const replay = new ChunkReplay();
  const chunks = [...stages, { ...whole, metadata: { done: true } }].flatMap((stage) => replay.chunks(stage));
  const expected = normal({ ...whole, metadata: { done: true } });
  expect(normal((await foldChunks(emptied(whole), JSON.parse(JSON.stringify(chunks)))).message)).toEqual(
    expected,
  );
});

test("a stream has neither the name of a file nor a given approval, and the loaded chat has both", async () => {
  const message: UIMessage = {
    id: "a",
    role: "assistant",
    parts: [
      { type: "file", mediaType: "text/plain", filename: "notes.txt", url: "data:text/plain;base64,eA==" },
      {
        type: "tool-pay",
        toolCallId: "t",
        state: "approval-responded",
        input: {},
        approval: { id: "p", approved: true },
      },
    ],
  };
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  await saveMessages(store, "c", [message]);
  expect(await loadMessages(store, "c")).toEqual([message]);
  const chunks = JSON.parse(JSON.stringify(new ChunkReplay().chunks(message)));
  const { parts } = (await foldChunks(emptied(message), chunks)).message;
  expect(parts).toMatchObject([{ type: "file" }, { state: "approval-requested", approval: { id: "p" } }]);
  expect(JSON.stringify(parts)).not.toMatch(/notes\.txt|approved/);
});

function textIn({ parts }: UIMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function emptied({ id }: UIMessage): UIMessage {
  return { id, role: "assistant", parts: [] };
}

function isStreaming(part: UIMessage["parts"][number]): boolean {
  return "state" in part && (part.state === "streaming" || part.state === "input-streaming");
}

/**
 * Without what a stream of the SDK cannot carry: an approval that was given, the file name of a file, the id of
 * reasoning that has none, and that text without a state is done.
 */
function normal(message: UIMessage): unknown {
  const parts = message.parts.map((part) => {
    const { filename: _, ...rest }: { filename?: unknown } & typeof part = part;
    if (part.type === "text" || part.type === "reasoning")
      return { ...rest, id: undefined, state: part.state ?? "done" };
    if (!("approval" in part) || part.approval === undefined) return part.type === "file" ? rest : part;
    const { approved: _approved, reason: _reason, ...approval } = part.approval;
    return {
      ...part,
      state: part.state === "approval-responded" ? "approval-requested" : part.state,
      approval,
    };
  });
  return JSON.parse(JSON.stringify({ ...message, parts }));
}
