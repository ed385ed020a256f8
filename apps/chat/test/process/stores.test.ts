import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ChatProcess, main } from "./chat-process.js";
import { dataFolder } from "./data-folder.js";

/** Stores that outlive a process, as SESSIONS_STORE names them. A new one joins here. */
const stores: readonly { readonly kind: string; readonly url: (folder: string) => string }[] = [
  { kind: "file", url: (folder) => `file:${folder}/sessions` },
  { kind: "sqlite", url: (folder) => `sqlite:${join(folder, "chat.db")}` },
];

async function talk(url: string, lines: readonly string[], args: readonly string[] = []) {
  const chat = new ChatProcess(process.execPath, [main, ...args], { SESSIONS_STORE: url });
  chat.type(lines.map((line) => `${line}\n`).join(""));
  return await chat.finish();
}

describe.each(stores)("on $kind, by SESSIONS_STORE alone", ({ url }) => {
  test("a conversation goes on in the next process", async () => {
    const store = url(dataFolder());
    const first = await talk(store, ["remember: the lamp needs oil"]);
    expect(first, first.errors).toMatchObject({ code: 0 });
    const second = await talk(store, ["notes", "/usage", "/fork another way", "/list"]);
    expect(second, second.errors).toMatchObject({ code: 0 });
    expect(second.output).toContain("the lamp needs oil");
  });

  test("--store says the same, and says where it is", async () => {
    const store = url(dataFolder());
    const chat = await talk("memory:", ["hello"], ["--store", store]);
    expect(chat).toMatchObject({ code: 0 });
    expect((await talk(store, ["/list"])).output).toContain("hello");
  });
});

test("in memory nothing is left", async () => {
  expect(await talk("memory:", ["remember: the lamp needs oil"])).toMatchObject({ code: 0 });
  expect((await talk("memory:", ["notes"])).output).not.toContain("the lamp needs oil");
});

test("a store that is none is told, without its secrets", async () => {
  const { code, errors } = await talk("reddis://user:hunter2@host", ["hello"]);
  expect(code).toBe(1);
  expect(errors).toContain('Did you mean "redis"?');
  expect(errors).not.toContain("hunter2");
});
