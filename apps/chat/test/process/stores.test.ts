import { basename, join } from "node:path";
import { openStore } from "@sessions/config";
import { textOf } from "@sessions/json-file";
import { startServer } from "redis-servers";
import { afterAll, describe, expect, test } from "vitest";
import { ChatProcess, main } from "./chat-process.js";
import { dataFolder } from "./data-folder.js";

const server = await startServer();
afterAll(() => server.stop());

/** Stores that outlive a process, as SESSIONS_STORE names them. A new one joins here. */
const stores: readonly { readonly kind: string; readonly url: (folder: string) => string }[] = [
  { kind: "file", url: (folder) => `file:${folder}/sessions` },
  { kind: "sqlite", url: (folder) => `sqlite:${join(folder, "chat.db")}` },
  { kind: "redis", url: (folder) => `${server.url}?prefix=${basename(folder)}` },
];

async function talk(url: string, lines: readonly string[], args: readonly string[] = []) {
  const chat = new ChatProcess(process.execPath, [main, ...args], { SESSIONS_STORE: url });
  chat.type(lines.map((line) => `${line}\n`).join(""));
  return await chat.finish();
}

/** What is stored of the answer that is being written. */
async function answerIn(url: string): Promise<string> {
  await using store = await openStore(url);
  const [summary] = (await store.listSessions({ labels: { agent: "chat" } })).items;
  const last = summary === undefined ? undefined : (await store.getSession(summary.id))?.messages.at(-1);
  return last?.role === "assistant" ? textOf(last) : "";
}

describe.each(stores)("on $kind, with only SESSIONS_STORE set", ({ url }) => {
  test("the next process continues the conversation", async () => {
    const store = url(dataFolder());
    const first = await talk(store, ["remember: the lamp needs oil"]);
    expect(first, first.errors).toMatchObject({ code: 0 });
    const second = await talk(store, ["notes", "/usage", "/fork another way", "/list"]);
    expect(second, second.errors).toMatchObject({ code: 0 });
    expect(second.output).toContain("the lamp needs oil");
  });

  test("after a kill during an answer, the next process shows what was saved", async () => {
    const store = url(dataFolder());
    const chat = new ChatProcess(process.execPath, [main, "--delay", "20"], { SESSIONS_STORE: store });
    chat.type("tell me a long story\n");
    await chat.shows("Night 1.");
    await expect.poll(() => answerIn(store), { timeout: 30_000 }).not.toBe("");
    chat.kill("SIGKILL");
    await chat.ended();
    const next = await talk(store, ["what did I say before?"]);
    expect(next, next.errors).toMatchObject({ code: 0 });
    expect(next.errors).toContain("This much of it was saved:\nThe keeper of the lighthouse");
    expect(next.output).toBe('Before this you said "tell me a long story".\n');
  });

  test("--store selects the same store, and the greeting shows its location", async () => {
    const store = url(dataFolder());
    const chat = await talk("memory:", ["hello"], ["--store", store]);
    expect(chat).toMatchObject({ code: 0 });
    expect((await talk(store, ["/list"])).output).toContain("hello");
  });
});

test("a chat in memory leaves nothing behind", async () => {
  expect(await talk("memory:", ["remember: the lamp needs oil"])).toMatchObject({ code: 0 });
  expect((await talk("memory:", ["notes"])).output).not.toContain("the lamp needs oil");
});

test("a wrong store is an error without its secrets", async () => {
  const { code, errors } = await talk("reddis://user:hunter2@host", ["hello"]);
  expect(code).toBe(1);
  expect(errors).toContain('Did you mean "redis"?');
  expect(errors).not.toContain("hunter2");
});
