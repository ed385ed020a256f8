import { type Message, type MessageInput, type SessionStore, toolLinksOf } from "@sessions/protocol";
import type { AgentEvent } from "@sessions/turn-runner";
import { storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { readingOrder } from "../src/conversation/reading-order.js";
import { type BotSession, type BotSessionOptions, type BotTurn, createBotSession } from "../src/index.js";

function botOn(store: SessionStore, options: Partial<BotSessionOptions>): BotSession {
  return createBotSession({ store, platform: "p", scope: "user", respond: () => "ok", ...options });
}

const contents = (messages: readonly MessageInput[]): readonly unknown[] =>
  messages.map(({ content }) => content);

/** Whether each call is followed by its result at once. A provider refuses any other history. */
function isPaired(messages: readonly Message[]): boolean {
  return messages.every((message, index) => {
    const { calls, results } = toolLinksOf(message);
    const next = messages[index + 1];
    const before = messages[index - 1];
    const isAnswered = calls.every((id) => next !== undefined && toolLinksOf(next).results.includes(id));
    return (
      isAnswered && results.every((id) => before !== undefined && toolLinksOf(before).calls.includes(id))
    );
  });
}

async function live(store: SessionStore, bot: BotSession): Promise<readonly Message[]> {
  return (await store.getSession(await bot.sessionId({ user: 1 })))?.messages ?? [];
}

describe.each(storeKinds)("on $name", ({ place }) => {
  test("a limit never separates a tool call from its result", async () => {
    const store = await (await place()).open();
    const seen: (readonly Message[])[] = [];
    async function* respond({ messages, turnId }: BotTurn): AsyncGenerator<AgentEvent> {
      seen.push(messages);
      yield { type: "tool-call", toolCallId: `call ${turnId}`, toolName: "look", input: {} };
      yield { type: "tool-result", toolCallId: `call ${turnId}`, toolName: "look", output: "seen" };
      yield { type: "text-delta", text: "ok" };
    }
    for (const maxMessages of [1, 2, 3, 4, 5, 6]) {
      const bot = botOn(store, { respond, history: { maxMessages }, account: `a${maxMessages}` });
      for (let id = 0; id < 4; id++) await bot.handle({ id, user: 1, text: `question ${id}` });
      const last = seen.at(-1) ?? [];
      expect(last.length).toBeLessThanOrEqual(maxMessages);
      expect(last.at(-1)?.content).toBe("question 3");
      expect(isPaired(last)).toBe(true);
    }
  });

  test("beyond the token limit the oldest messages are archived and summarized, and a failed summary hides no message", async () => {
    const store = await (await place()).open();
    const seen: (readonly unknown[])[] = [];
    const errors: unknown[] = [];
    let fails = true;
    const bot = botOn(store, {
      respond({ messages }) {
        seen.push(contents(messages));
        return "ok";
      },
      onError: (error) => void errors.push(error),
      history: {
        maxTokens: 8,
        keepTokens: 4,
        countTokens: () => 1,
        summarize({ messages }) {
          if (fails) throw new Error("no summary");
          return `${messages.length} messages`;
        },
      },
    });
    for (let id = 0; id < 5; id++) await bot.handle({ id, user: 1, text: `q${id}` });
    expect(errors).toHaveLength(1);
    expect(seen.at(-1)).toEqual(["ok", "q1", "ok", "q2", "ok", "q3", "ok", "q4"]);
    const other = { user: 2, text: "x" };
    for (let id = 10; id < 15; id++) await bot.handle({ ...other, id });
    await bot.handle({ ...other, id: 15, text: "/new" });
    await bot.handle({ ...other, id: 16 });
    expect(seen.at(-1)).toEqual(["x"]); // messages that wait for their summary do not come back either
    fails = false;
    await bot.handle({ id: 5, user: 1, text: "q5" });
    expect(seen.at(-1)?.[0]).toBe("4 messages");
    expect(seen.at(-1)?.at(-1)).toBe("q5");
    await bot.handle({ id: 6, user: 1, text: "/new" });
    await bot.handle({ id: 7, user: 1, text: "fresh" });
    expect(seen.at(-1)).toEqual(["fresh"]);
  });

  test("messages that others add while a turn runs are stored where they came, and the model reads them in order", async () => {
    const store = await (await place()).open();
    let seen: readonly Message[] = [];
    const bot = botOn(store, {
      async *respond({ messages, update, turnId }): AsyncGenerator<AgentEvent> {
        seen = messages;
        yield { type: "tool-call", toolCallId: turnId, toolName: "look", input: {} };
        await bot.record({ id: `chatter ${update.id}`, user: 1, text: `meanwhile ${update.id}` });
        await bot.mirror({ user: 1 }, { id: `news ${update.id}`, text: `news ${update.id}` });
        yield { type: "tool-result", toolCallId: turnId, toolName: "look", output: "seen" };
        yield { type: "text-delta", text: `to ${update.id}` };
      },
    });
    await bot.handle({ id: 1, user: 1, text: "first" });
    expect(isPaired(await live(store, bot))).toBe(false);
    await bot.handle({ id: 2, user: 1, text: "second" });
    expect(isPaired(seen)).toBe(true);
    expect(
      contents(seen.filter(({ role, content }) => role !== "tool" && typeof content === "string")),
    ).toEqual(["first", "to 1", "meanwhile 1", "news 1", "second"]);
  });

  test("a message that is recorded or mirrored twice is stored once", async () => {
    const store = await (await place()).open();
    const bot = botOn(store, {});
    const twice = async (
      add: () => Promise<{ readonly duplicate: boolean }>,
    ): Promise<readonly boolean[]> => [(await add()).duplicate, (await add()).duplicate];
    expect(await twice(() => bot.record({ id: 1, user: 1, text: "hm" }))).toEqual([false, true]);
    expect(await twice(() => bot.mirror({ user: 1 }, { id: 1, text: "news" }))).toEqual([false, true]);
    expect(contents(await live(store, bot))).toEqual(["hm", "news"]);
  });

  test("a history that is returned whole adds its new messages, and nothing else", async () => {
    const store = await (await place()).open();
    const whole = ({ messages }: BotTurn): readonly MessageInput[] => [
      ...messages,
      { role: "assistant", content: `answer ${messages.length}` },
    ];
    const stripped = (turn: BotTurn): { readonly history: readonly MessageInput[] } => ({
      history: whole(turn).map(({ role, content }) => ({ role, content })),
    });
    function strippedArray(turn: BotTurn): readonly MessageInput[] {
      return stripped(turn).history;
    }
    for (const respond of [whole, stripped, strippedArray]) {
      const bot = botOn(store, { respond, account: respond.name });
      expect((await bot.handle({ id: 1, user: 1, text: "a" })).reply).toBe("answer 1");
      const before = await live(store, bot);
      expect((await bot.handle({ id: 2, user: 1, text: "b" })).reply).toBe("answer 3");
      const after = await live(store, bot);
      expect(after.slice(0, 2)).toEqual(before);
      expect(contents(after)).toEqual(["a", "answer 1", "b", "answer 3"]);
      expect((await bot.handle({ id: 1, user: 1, text: "a" })).reply).toBe("answer 1");
    }
  });

  test("a history that is returned shorter and without ids keeps the messages that it contains", async () => {
    const store = await (await place()).open();
    const shorter = ({ messages, update }: BotTurn): readonly MessageInput[] => [
      ...messages.slice(-3).map(({ role, content }) => ({ role, content })),
      { role: "assistant", content: `to ${update.id}` },
    ];
    const respond = (turn: BotTurn) => (turn.update.id === 3 ? shorter(turn) : "ok");
    const bot = botOn(store, { respond });
    for (const [index, text] of ["a", "b"].entries()) await bot.handle({ id: index + 1, user: 1, text });
    const before = await live(store, bot);
    expect((await bot.handle({ id: 3, user: 1, text: "c" })).reply).toBe("to 3");
    const after = await live(store, bot);
    expect(contents(after)).toEqual(["b", "ok", "c", "to 3"]);
    expect(after.slice(0, 2)).toEqual(before.slice(2));
    expect((await bot.handle({ id: 2, user: 1, text: "b" })).duplicate).toBe(true);
  });

  test("an update whose message a rewritten history left out is not answered again", async () => {
    const store = await (await place()).open();
    const bot = botOn(store, {
      respond: ({ messages, update }) =>
        update.id === 1 ? "ok" : { history: [...messages.slice(-1), { role: "assistant", content: "done" }] },
    });
    await bot.handle({ id: 1, user: 1, text: "a" });
    await bot.handle({ id: 2, user: 1, text: "b" });
    expect(contents(await live(store, bot))).toEqual(["b", "done"]);
    expect(await bot.handle({ id: 1, user: 1, text: "a" })).toMatchObject({
      duplicate: true,
      reply: undefined,
    });
    expect(contents(await live(store, bot))).toEqual(["b", "done"]);
  });

  test("a destroying reset keeps summarized archives, and none of them is part of the new conversation", async () => {
    const store = await (await place()).open();
    const seen: (readonly unknown[])[] = [];
    const bot = botOn(store, {
      reset: { destroy: true },
      history: { maxTokens: 4, keepTokens: 1, countTokens: () => 1, summarize: () => "a summary" },
      respond({ messages }) {
        seen.push(contents(messages));
        return "ok";
      },
    });
    for (let id = 1; id < 5; id++) await bot.handle({ id, user: 1, text: `q${id}` });
    expect(seen.at(-1)).toContain("a summary");
    const { sessionId } = await bot.handle({ id: 5, user: 1, text: "/new" });
    expect((await store.listArchives(sessionId)).some(({ summary }) => summary.status === "done")).toBe(true);
    await bot.handle({ id: 6, user: 1, text: "fresh" });
    expect(seen.at(-1)).toEqual(["fresh"]);
  });

  test("an answer with the text of an earlier one is stored as a new answer", async () => {
    const store = await (await place()).open();
    const bot = botOn(store, {
      respond: () => [{ role: "assistant", content: "ok" }],
      history: { maxMessages: 2 },
    });
    for (let id = 1; id < 4; id++)
      expect((await bot.handle({ id, user: 1, text: `q${id}` })).reply).toBe("ok");
    expect(contents(await live(store, bot))).toEqual(["q1", "ok", "q2", "ok", "q3", "ok"]);
  });

  test("messages that others added meanwhile come after a rewritten history", async () => {
    const store = await (await place()).open();
    const bot = botOn(store, {
      history: { maxMessages: 3 },
      async respond({ messages, update }) {
        if (update.id !== 3) return "ok";
        await bot.record({ id: "chatter", user: 1, text: "meanwhile" });
        const [, ...rest] = messages.slice(0, -1);
        const shorter = { role: "system", content: "shorter" };
        return { history: [shorter, ...rest, ...messages.slice(-1), { role: "assistant", content: "done" }] };
      },
    });
    await bot.handle({ id: 1, user: 1, text: "a" });
    await bot.handle({ id: 2, user: 1, text: "b" });
    expect(await bot.handle({ id: 3, user: 1, text: "c" })).toMatchObject({ reply: "done" });
    // "a" and its answer were beyond the limit, so the agent has not left them out.
    const expected = ["a", "ok", "shorter", "ok", "c", "meanwhile", "done"];
    expect(contents(await live(store, bot))).toEqual(expected);
    expect(await bot.handle({ id: 3, user: 1, text: "c" })).toMatchObject({ reply: "done", duplicate: true });
  });

  test("a history that another process rewrites while the agent rewrites it has the changes of both", async () => {
    const store = await (await place()).open();
    const bot = botOn(store, {
      async respond({ messages, sessionId, update }) {
        if (update.id !== 4) return `answer ${update.id}`;
        const [a, answerA, b, answerB, c, answerC, ...asked] = messages;
        if (a === undefined || answerA === undefined || b === undefined || answerC === undefined)
          throw new Error("three exchanges came before");
        await store.removeMessages(sessionId, [a.id, answerA.id]);
        await store.updateMessage(sessionId, b.id, { ...b, content: "b, edited" });
        await bot.record({ id: "chatter", user: 1, text: "meanwhile" });
        const edited = { ...answerC, content: "answer 3, shortened" };
        const kept = [a, answerA, b, c, edited, ...asked].filter((message) => message !== undefined);
        expect(answerB?.content).toBe("answer 2");
        return { history: [...kept, { role: "assistant", content: "done" }] };
      },
    });
    for (const [index, text] of ["a", "b", "c"].entries()) await bot.handle({ id: index + 1, user: 1, text });
    expect(await bot.handle({ id: 4, user: 1, text: "d" })).toMatchObject({ reply: "done" });
    const expected = ["b, edited", "c", "answer 3, shortened", "d", "meanwhile", "done"];
    expect(contents(await live(store, bot))).toEqual(expected);
  });

  test("a tool call that the agent drops stays if its result was added meanwhile", async () => {
    const store = await (await place()).open();
    const call = { type: "tool-call", toolCallId: "c1", toolName: "look", input: {} };
    const output = { type: "text", value: "seen" };
    const result = { type: "tool-result", toolCallId: "c1", toolName: "look", output };
    const bot = botOn(store, {
      async respond({ messages, sessionId }) {
        await store.addMessage(sessionId, { id: "result", role: "tool", content: [result] });
        return { history: [...messages.slice(-1), { role: "assistant", content: "done" }] };
      },
    });
    const sessionId = await bot.sessionId({ user: 1 });
    await store.addMessage(sessionId, { id: "call", role: "assistant", content: [call] });
    expect(await bot.handle({ id: 1, user: 1, text: "d" })).toMatchObject({ reply: "done" });
    const ids = (await live(store, bot)).map(({ id }) => id);
    expect(ids.indexOf("result")).toBe(ids.indexOf("call") + 1);
    expect(ids).toHaveLength(4);
  });
});

test("in reading order a prompt comes right before its answer, and other messages come before or after both", () => {
  const own = (id: string, turnId: string, prompt = false): Message => ({
    id,
    role: prompt ? "user" : "assistant",
    createdAt: 0,
    metadata: { turnId, ...(prompt ? { prompt } : {}) },
  });
  const chatter = (id: string): Message => ({ id, role: "user", createdAt: 0 });
  const messages = [
    own("q1", "1", true),
    own("q2", "2", true),
    chatter("x"),
    own("a2", "2"),
    chatter("y"),
    own("b2", "2"),
    own("a1", "1"),
    own("q3", "3", true),
  ];
  const ids = readingOrder(messages).map(({ id }) => id);
  expect(ids).toEqual(["x", "q2", "a2", "b2", "y", "q1", "a1", "q3"]);
});
