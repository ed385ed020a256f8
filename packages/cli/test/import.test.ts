import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { openStore } from "@sessions/config";
import { groupMessages, type SessionStore, textOf } from "@sessions/protocol";
import { describe, expect, test } from "vitest";
import { fillCorpus } from "./corpus.js";
import { durableStores } from "./durable-stores.js";
import { openVikingCases, praisonaiFiles, writeFiles } from "./foreign.js";
import { sessions, sessionsJson, temporaryFolder } from "./run-sessions.js";

/** Imports twice. The second time nothing may change. */
async function importTwice(
  cwd: string,
  url: string,
  args: readonly string[],
  code = 0,
): Promise<readonly unknown[]> {
  const first = await sessionsJson(["import", ...args, "--store", url], { cwd }, code);
  await using store = await openStore(url);
  const before = await everything(store);
  const second = await sessionsJson(["import", ...args, "--store", url], { cwd }, code);
  expect(await everything(store), "the second time changes nothing").toEqual(before);
  expect(second).toEqual(first.map((each) => (isImported(each) ? { ...each, status: "same" } : each)));
  return first;
}

const isImported = (value: unknown): value is object =>
  typeof value === "object" && value !== null && "status" in value && value.status === "imported";

async function everything(store: SessionStore): Promise<readonly unknown[]> {
  const { items } = await store.listSessions({ order: "id-asc", limit: 1000 });
  return Promise.all(items.map(({ id }) => store.exportSession(id)));
}

describe.each(durableStores)("into $kind", ({ url: urlOf }) => {
  test.each(openVikingCases)("OpenViking: $name", async ({ files, live, archives, context, asides }) => {
    const cwd = await temporaryFolder();
    const url = urlOf(cwd, "store");
    await writeFiles(join(cwd, "session"), files);
    const [result] = await importTwice(cwd, url, ["--from", "openviking", "session"]);
    expect(result).toMatchObject({ status: "imported", sessionId: "s", asides });
    await using store = await openStore(url);
    const session = await store.getSession("s");
    expect(session?.messages.map(({ id }) => id)).toEqual(live.map((n) => `msg_${n}`));
    expect(session?.archives).toMatchObject(archives);
    expect(session?.labels).toEqual({ user: "u" });
    if (asides.length > 0)
      expect(session?.metadata["aside"], "it is kept with the session").toMatchObject(asides);
    const sent = (await store.getContext("s", { maxTokens: 100_000 })).messages.map(textOf);
    for (const text of context)
      expect(
        sent.filter((each) => each.startsWith(text) || each.includes(text)),
        text,
      ).toHaveLength(1);
    expect(await store.verify("s")).toMatchObject({ ok: true });
  });

  test("import of OpenViking sessions that all have the same id keeps each of them", async () => {
    const cwd = await temporaryFolder();
    for (const { name, files } of openVikingCases) await writeFiles(join(cwd, "all", name), files);
    await importTwice(cwd, urlOf(cwd, "store"), ["--from", "openviking", "all"]);
    await using store = await openStore(urlOf(cwd, "store"));
    const { items } = await store.listSessions({ order: "id-asc" });
    expect(items.map(({ id }) => id)).toEqual(openVikingCases.map(({ name }) => name).toSorted());
  });

  test("PraisonAI: tools, a compaction, forks and snapshots", async () => {
    const cwd = await temporaryFolder();
    const url = urlOf(cwd, "store");
    await writeFiles(join(cwd, "praison"), praisonaiFiles);
    await importTwice(cwd, url, ["--from", "praisonai", "praison"]);
    await using store = await openStore(url);
    expect(await store.getSession("plain")).toMatchObject({
      messageCount: 4,
      labels: { agent: "researcher", user: "user-7" },
      metadata: { model: "m", praisonai: { cost: 0.5 } },
      createdAt: Date.parse("2026-03-01T12:00:00.125Z"),
    });
    const tools = await store.getChatHistory("tools");
    expect(
      groupMessages(tools).map((group) => group.length),
      "calls and results are one group",
    ).toEqual([1, 3]);
    expect(tools[0]).toMatchObject({ createdAt: 1_772_366_400_250, timestamp: 1_772_366_400.25 });
    expect(await store.getSession("long")).toMatchObject({
      messageCount: 3,
      archives: [{ messageCount: 6, summary: { status: "done", text: "[Session Summary]" } }],
      metadata: {
        praisonai: { last_compaction: { summary: "They talked." }, summaryMessage: { role: "system" } },
      },
    });
    expect(await store.getSessionTree("root")).toMatchObject({
      session: { title: "Root" },
      children: [
        {
          session: { id: "fork", parent: { messageId: "message-3" } },
          children: [{ session: { id: "deeper" } }],
        },
      ],
    });
    await store.revertToSnapshot("root", "before");
    expect((await store.getChatHistory("root")).map(textOf)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `said ${n}`),
    );
  });

  test("OpenAI chats, one on each line; a line that is none is told and hides no other", async () => {
    const cwd = await temporaryFolder();
    const url = urlOf(cwd, "store");
    const chat = {
      id: "chat-1",
      created: 1_772_366_400,
      metadata: { topic: "t" },
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: "hi\u2028there" },
        { role: "assistant", content: null, tool_calls: [] },
      ],
    };
    const other = { messages: [{ role: "user", content: "unnamed" }, "not a message"] };
    await writeFiles(cwd, { "chats.jsonl": `${JSON.stringify(chat)}\n{oops\n${JSON.stringify(other)}\n` });
    const results = await importTwice(cwd, url, ["--from", "openai-jsonl", "chats.jsonl"], 4);
    expect(results).toMatchObject([
      { sessionId: "chat-1" },
      { sessionId: "chats-3", asides: [{ problem: "is not a message" }] },
      { status: "skipped", asides: [{ line: 2, text: "{oops" }] },
    ]);
    await using store = await openStore(url);
    expect(await store.getSession("chat-1")).toMatchObject({
      metadata: { topic: "t" },
      createdAt: 1_772_366_400_000,
      messages: [{}, { content: "hi\u2028there" }, { content: null }],
    });
  });

  test("UIMessages of the AI SDK: a list, a chat, several chats", async () => {
    const cwd = await temporaryFolder();
    const url = urlOf(cwd, "store");
    const messages = ["a", "b"].map((id) => ({
      id,
      role: "user",
      parts: [{ type: "text", text: `text ${id}` }],
      metadata: { n: 1 },
    }));
    await writeFiles(cwd, {
      "ui/list.json": messages,
      "ui/one.json": { id: "one", title: "One", messages, createdAt: "2026-03-01T12:00:00Z" },
      "ui/several.json": [{ id: "s1", messages }, { messages }],
    });
    await importTwice(cwd, url, ["--from", "ui-messages", "ui"]);
    await using store = await openStore(url);
    const { items } = await store.listSessions({ order: "id-asc" });
    expect(items.map(({ id, messageCount }) => [id, messageCount])).toEqual([
      ["list", 2],
      ["one", 2],
      ["s1", 2],
      ["several-2", 2],
    ]);
    expect((await store.getChatHistory("list")).map(textOf)).toEqual(["text a", "text b"]);
  });

  test("a backup comes back as it was: every session, every field", async () => {
    const cwd = await temporaryFolder();
    await using store = await openStore(urlOf(cwd, "store"));
    await fillCorpus(store, 40);
    const [backup] = await sessionsJson(["backup", "b.jsonl.gz", "--store", urlOf(cwd, "store")], { cwd });
    expect(backup).toMatchObject({ sessions: 40, damaged: [] });
    await importTwice(cwd, urlOf(cwd, "restored"), ["b.jsonl.gz"]);
    const [again] = await sessionsJson(["backup", "c.jsonl", "--store", urlOf(cwd, "restored")], { cwd });
    const packed = gunzipSync(await readFile(join(cwd, "b.jsonl.gz")))
      .toString("utf8")
      .split("\n");
    const plain = (await readFile(join(cwd, "c.jsonl"), "utf8")).split("\n");
    expect(plain.at(-2), "the same digest").toBe(packed.at(-2));
    expect(again).toMatchObject({ sessions: 40 });
  });
});

test("import reads a bundle over many lines or from standard input, and does not overwrite another session with its id", async () => {
  const cwd = await temporaryFolder();
  await using store = await openStore(`file:${cwd}/store`);
  await store.addMessage("s", { role: "user", content: "hello" });
  const bundle = await store.exportSession("s");
  await writeFiles(cwd, { "pretty.json": JSON.stringify(bundle, null, 2) });
  await importTwice(cwd, `sqlite:${cwd}/b.db`, ["pretty.json", "--as", "renamed"]);
  const piped = await sessions(["import", "-", "--store", `sqlite:${cwd}/b.db`], {
    cwd,
    input: JSON.stringify(bundle),
  });
  expect(piped).toMatchObject({ code: 0, stdout: "Imported 1 session, 0 were there already.\n" });
  await using other = await openStore(`sqlite:${cwd}/b.db`);
  await other.addMessage("s", { role: "user", content: "more" });
  const refused = await sessions(["import", "pretty.json", "--store", `sqlite:${cwd}/b.db`], { cwd });
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining("There is another session") });
  expect(await other.getChatHistory("s")).toHaveLength(2);
  expect(await other.getChatHistory("renamed")).toHaveLength(1);
});

test("a backup file is complete or absent, and no file is overwritten without a question", async () => {
  const cwd = await temporaryFolder();
  await using store = await openStore(`file:${cwd}/store`);
  await store.addMessage("s", { role: "user", content: "hello" });
  await writeFiles(cwd, { "b.jsonl": "mine" });
  const place = { cwd, env: { SESSIONS_STORE: "file:./store" } };
  expect((await sessions(["backup", "b.jsonl"], place)).code).toBe(5);
  expect((await sessions(["export", "--all", "-o", "b.jsonl"], place)).code).toBe(5);
  expect(await readFile(join(cwd, "b.jsonl"), "utf8")).toBe("mine");
  expect(await sessions(["export", "s", "nobody", "-o", "c.jsonl"], place)).toMatchObject({ code: 3 });
  await expect(readFile(join(cwd, "c.jsonl"))).rejects.toMatchObject({ code: "ENOENT" });
  expect((await sessions(["backup", ".", "--yes"], place)).code, "a folder is no file").toBe(2);
  expect((await sessions(["backup", "nowhere/b.jsonl"], place)).code).toBe(1);
  expect((await sessions(["backup", "b.jsonl", "--yes"], place)).code).toBe(0);
  expect(await readFile(join(cwd, "b.jsonl"), "utf8")).toContain("sessions-backup");
});
