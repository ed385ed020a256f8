import { openaiCompatibleRunner } from "@sessions/openai-compatible";
import type { MessageInput, SessionStore } from "@sessions/protocol";
import { failingStore, memoryPlace, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { type BotSession, type BotSessionOptions, createBotSession } from "../src/index.js";

function botOn(store: SessionStore, options: Partial<BotSessionOptions>): BotSession {
  return createBotSession({ store, platform: "p", scope: "user", respond: () => "ok", ...options });
}

const update = { id: 1, user: 42, text: "What time is it?" };
const call = { type: "tool-call", toolCallId: "c1", toolName: "clock", input: {} };
const output = { type: "text", value: "noon" };
const result = { type: "tool-result", toolCallId: "c1", toolName: "clock", output };
const image = { type: "image", image: "https://example.com/clock.png" };

const answers: Readonly<Record<string, MessageInput | readonly MessageInput[]>> = {
  "a message": { role: "assistant", content: "It is noon." },
  "a message of parts": { role: "assistant", content: [image, { type: "text", text: "It is noon." }] },
  "a tool call, its result and a message": [
    { role: "assistant", content: [call] },
    { role: "tool", content: [result] },
    { role: "assistant", content: "It is noon.", metadata: { mood: "calm" } },
  ],
};

describe.each(storeKinds)("on $name", ({ place }) => {
  test.each(Object.keys(answers))(
    "%s that respond returns is stored as it is, and is the reply",
    async (name) => {
      const answer = answers[name] ?? [];
      const store = await (await place()).open();
      const bot = botOn(store, { respond: () => answer });
      expect(await bot.handle(update)).toMatchObject({ outcome: "answered", reply: "It is noon." });
      const session = await store.getSession(await bot.sessionId(update));
      expect(session?.messages.slice(1)).toMatchObject([answer].flat());
      expect(session?.messages).toHaveLength(1 + [answer].flat().length);
    },
  );

  test("an update to which respond returns nothing has no reply, and is settled", async () => {
    const store = await (await place()).open();
    let runs = 0;
    const bot = botOn(store, {
      respond() {
        runs++;
        return undefined;
      },
    });
    expect(await bot.handle(update)).toMatchObject({ outcome: "answered", reply: undefined, messages: [] });
    expect(await bot.handle(update)).toMatchObject({ reply: undefined, duplicate: true });
    expect(runs).toBe(1);
    const session = await store.getSession(await bot.sessionId(update));
    expect(session?.messages).toHaveLength(1);
  });

  test("an update's turn and its user message have the same id, in whichever process it is handled", async () => {
    const shared = await place();
    const ids: string[] = [];
    const respond: BotSessionOptions["respond"] = ({ turnId, update: { id } }) => {
      ids.push(turnId);
      if (id === 1 && ids.length === 1) throw new Error("the model is down");
      return "ok";
    };
    const first = botOn(await shared.open(), { respond });
    await expect(first.handle(update)).rejects.toThrow("the model is down");
    const store = await shared.open();
    const second = botOn(store, { respond });
    const { sessionId } = await second.handle(update);
    expect((await store.getSession(sessionId))?.lastTurn?.turnId).toBe(ids[0]);
    await second.handle({ ...update, id: 2 });
    const asked = (await store.getChatHistory(sessionId)).filter(({ role }) => role === "user");
    expect(ids).toEqual([asked[0]?.id, asked[0]?.id, asked[1]?.id]);
    expect(asked).toHaveLength(2);
  });
});

test("the turn begins in the commit that adds the question, and ends in the one that stores and marks the answer", async () => {
  const { store, sound, calls } = failingStore();
  const bot = botOn(store, {});
  const { sessionId } = await bot.handle(update);
  const before = calls.length;
  await bot.handle({ ...update, id: 2 });
  const commits = calls.slice(before).filter((name) => name !== "read");
  expect(commits).toHaveLength(2);
  expect(commits[0]?.split("+").toSorted()).toEqual(["append", "turn.begin"]);
  expect(commits[1]?.split("+")).toEqual(expect.arrayContaining(["append", "extend", "turn.end"]));
  expect(await sound.getChatHistory(sessionId)).toHaveLength(4);
});

test("a history that comes back unchanged, with or without its ids, is not written again", async () => {
  const answer = { role: "assistant", content: "ok" };
  const forms: Readonly<Record<string, BotSessionOptions["respond"]>> = {
    alone: () => [answer],
    whole: ({ messages }) => [...messages, answer],
    stripped: ({ messages }) => ({
      history: [...messages.map(({ role, content }) => ({ role, content })), answer],
    }),
  };
  const commits = async (respond: BotSessionOptions["respond"]): Promise<readonly string[]> => {
    const { store, calls } = failingStore();
    const bot = botOn(store, { respond });
    for (const id of [1, 2]) await bot.handle({ ...update, id });
    return calls.filter((name) => name !== "read");
  };
  const alone = await commits(forms["alone"] ?? (() => undefined));
  for (const respond of Object.values(forms)) expect(await commits(respond)).toEqual(alone);
});

test("a runner of a managed agent can be passed as respond unchanged", async () => {
  const store = await memoryPlace().open();
  const asked: unknown[] = [];
  const bot = botOn(store, {
    config: { model: "some-model", instructions: "Be brief." },
    respond: openaiCompatibleRunner({
      baseURL: "https://example.com/v1",
      async fetch(_url, init) {
        asked.push(JSON.parse(String(init?.body)));
        const chunks = ["It is ", "noon."].map((content) => ({ choices: [{ delta: { content } }] }));
        const end = { choices: [{ delta: {}, finish_reason: "stop" }] };
        return new Response([...chunks, end].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""));
      },
    }),
  });
  expect((await bot.handle(update)).reply).toBe("It is noon.");
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "What time is it?" },
  ];
  expect(asked).toMatchObject([{ model: "some-model", messages }]);
});
