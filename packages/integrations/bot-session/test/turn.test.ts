import { SessionError, textOf } from "@sessions/protocol";
import type { AgentEvent } from "@sessions/turn-runner";
import { Gate, memoryPlace, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { createBotSession } from "../src/index.js";
import { countingBot } from "./counting-bot.js";

describe.each(storeKinds)("on $name", ({ place }) => {
  test("an update is answered, and stored with its answer", async () => {
    const store = await (await place()).open();
    const bot = countingBot(store);
    const first = await bot.handle({ id: 1, user: 42, text: "Hello." });
    expect(first).toMatchObject({ outcome: "answered", reply: "answer 1", duplicate: false });
    const second = await bot.handle({ id: 2, user: 42, text: "Again." });
    expect(second).toMatchObject({ reply: "answer 3", sessionId: first.sessionId });
    const session = await store.getSession(first.sessionId);
    expect(session?.messages.map(({ content }) => content)).toEqual([
      "Hello.",
      "answer 1",
      "Again.",
      "answer 3",
    ]);
    expect(session?.revision).toBe(second.revision);
    expect(session?.counters["turns"]).toBe(2);
  });

  test("the same update again gets the stored reply, and nothing runs", async () => {
    const store = await (await place()).open();
    let runs = 0;
    const bot = countingBot(store, { respond: () => `run ${++runs}` });
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => bot.handle({ id: 1, user: 42, text: "Hello." })),
    );
    expect(replies.map(({ reply }) => reply)).toEqual(Array(10).fill("run 1"));
    expect(replies.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    await bot.handle({ id: 2, user: 42, text: "/new" });
    expect(await bot.handle({ id: 1, user: 42, text: "Hello." })).toMatchObject({
      reply: "run 1",
      duplicate: true,
    });
    expect(runs).toBe(1);
  });

  test("updates of one conversation are answered one after the other, in order of arrival", async () => {
    const store = await (await place()).open();
    let running = 0;
    const bot = countingBot(store, {
      async respond({ update }) {
        expect(++running).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running--;
        return `to ${update.id}`;
      },
    });
    const ids = Array.from({ length: 12 }, (_, n) => n);
    const replies = await Promise.all(ids.map((id) => bot.handle({ id, user: 42, text: `${id}` })));
    expect(replies.map(({ reply }) => reply)).toEqual(ids.map((id) => `to ${id}`));
    const { messages } = (await store.getSession(await bot.sessionId({ user: 42 }))) ?? { messages: [] };
    expect(messages.map(({ content }) => content)).toEqual(ids.flatMap((id) => [`${id}`, `to ${id}`]));
  });

  test("a failed update may be delivered again: its prompt is stored once, and its partial answer is removed", async () => {
    const store = await (await place()).open();
    const errors: unknown[] = [];
    let isDown = true;
    async function* respond(): AsyncGenerator<AgentEvent> {
      yield { type: "text-delta", text: "Well, " };
      if (isDown) throw new Error("the model is down");
      yield { type: "text-delta", text: "hello." };
    }
    const bot = countingBot(store, { respond, onError: (error) => void errors.push(error) });
    const update = { id: 1, user: 42, text: "Hello." };
    await expect(bot.handle(update)).rejects.toThrow("the model is down");
    expect(errors).toHaveLength(1);
    isDown = false;
    expect(await bot.handle(update)).toMatchObject({ reply: "Well, hello.", duplicate: false });
    const session = await store.getSession(await bot.sessionId(update));
    expect(session?.messages.map(({ content }) => content)).toEqual(["Hello.", "Well, hello."]);
  });

  test("with busy: reject, an update during a turn is TURN_BUSY at once", async () => {
    const store = await (await place()).open();
    const gate = new Gate();
    const respond = async (): Promise<string> => {
      await gate.passed;
      return "done";
    };
    const bot = countingBot(store, { busy: "reject", respond });
    const first = bot.handle({ id: 1, user: 42, text: "a" });
    await gate.reached;
    const refused = bot.handle({ id: 2, user: 42, text: "b" });
    await expect(refused).rejects.toSatisfy((error) => SessionError.is(error, "TURN_BUSY"));
    gate.open();
    expect((await first).reply).toBe("done");
  });

  test("with busy: merge, updates that come during a turn are answered together", async () => {
    const store = await (await place()).open();
    const gate = new Gate();
    const bot = countingBot(store, {
      busy: "merge",
      async respond({ messages, update }) {
        if (update.id === 1) await gate.passed;
        return `re: ${messages.filter(({ role }) => role === "user").map(({ content }) => content)}`;
      },
    });
    const handled = [bot.handle({ id: 1, user: 42, text: "a" })];
    await gate.reached;
    for (const id of [2, 3, 4]) handled.push(bot.handle({ id, user: 42, text: `m${id}` }));
    const sessionId = await bot.sessionId({ user: 42 });
    await expect.poll(async () => (await store.getSession(sessionId))?.turn?.waiting).toBe(3);
    gate.open();
    const replies = await Promise.all(handled);
    expect(replies.map(({ outcome }) => outcome)).toEqual(["answered", "answered", "merged", "merged"]);
    expect(replies[1]?.reply).toBe("re: a,m2,m3,m4");
    expect(replies[2]?.reply).toBeUndefined();
    expect(await bot.handle({ id: 3, user: 42, text: "m3" })).toMatchObject({
      outcome: "merged",
      duplicate: true,
    });
  });

  test("with busy: interrupt, a newer message stops the running turn", async () => {
    const store = await (await place()).open();
    const gate = new Gate();
    const bot = countingBot(store, {
      busy: "interrupt",
      async *respond({ update, signal }): AsyncGenerator<AgentEvent> {
        yield { type: "text-delta", text: `so far ${update.id}` };
        if (update.id !== 1) return;
        void gate.passed;
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    const first = bot.handle({ id: 1, user: 42, text: "a" });
    await gate.reached;
    const second = bot.handle({ id: 2, user: 42, text: "b" });
    expect(await first).toMatchObject({ outcome: "interrupted" });
    expect(await second).toMatchObject({ outcome: "answered", reply: "so far 2" });
    const session = await store.getSession(await bot.sessionId({ user: 42 }));
    expect(session?.messages.map(({ content, status }) => [content, status])).toEqual([
      ["a", undefined],
      ["so far 1", "interrupted"],
      ["b", undefined],
      ["so far 2", undefined],
    ]);
    expect(await bot.handle({ id: 1, user: 42, text: "a" })).toMatchObject({
      outcome: "interrupted",
      duplicate: true,
    });
  });

  test("with busy: queue, an update that waits past its deadline is TURN_BUSY", async () => {
    const store = await (await place()).open();
    const gate = new Gate();
    const respond = async (): Promise<string> => {
      await gate.passed;
      return "done";
    };
    const first = countingBot(store, { respond }).handle({ id: 1, user: 42, text: "a" });
    await gate.reached;
    const late = countingBot(store, { respond, deadlineMs: 200 }).handle({ id: 2, user: 42, text: "b" });
    await expect(late).rejects.toSatisfy((error) => SessionError.is(error, "TURN_BUSY"));
    gate.open();
    expect((await first).reply).toBe("done");
  });

  test("respond gets the same turnId with each delivery, and its signal aborts at the deadline or when the turn is interrupted", async () => {
    const store = await (await place()).open();
    const seen: { readonly turnId: string; readonly signal: AbortSignal }[] = [];
    const gate = new Gate();
    const bot = countingBot(store, {
      deadlineMs: 1000,
      async respond({ turnId, signal, update }) {
        seen.push({ turnId, signal });
        if (update.id === 1 && seen.length > 1) return "ok";
        void gate.passed;
        return new Promise<string>(() => undefined);
      },
    });
    await expect(bot.handle({ id: 1, user: 42, text: "a" })).rejects.toThrow("no answer within");
    expect((await bot.handle({ id: 1, user: 42, text: "a" })).reply).toBe("ok");
    const cut = bot.handle({ id: 2, user: 42, text: "b" });
    await expect.poll(() => seen.length).toBe(3);
    const { revision = 0 } = (await store.getSession(await bot.sessionId({ user: 42 }))) ?? {};
    expect((await bot.handle({ id: 3, user: 42, text: "/new" })).revision).toBe(revision + 1);
    expect(await cut).toMatchObject({ outcome: "superseded" });
    expect(seen.map(({ signal }) => signal.aborted)).toEqual([true, false, true]);
    expect(seen[0]?.turnId).toBe(seen[1]?.turnId);
    expect(seen[0]?.turnId).not.toBe(seen[2]?.turnId);
  });

  test("a turn ends at its deadline, may be tried again, and a late answer is not stored", async () => {
    const store = await (await place()).open();
    const gate = new Gate();
    let runs = 0;
    const bot = countingBot(store, {
      deadlineMs: 300,
      async respond() {
        if (++runs > 1) return "in time";
        await gate.passed;
        return "late";
      },
    });
    const late = bot.handle({ id: 1, user: 42, text: "a" });
    await expect(late).rejects.toMatchObject({ code: "TURN_LOST", reason: "expired" });
    gate.open();
    expect((await bot.handle({ id: 1, user: 42, text: "a" })).reply).toBe("in time");
    const session = await store.getSession(await bot.sessionId({ user: 42 }));
    expect(session?.messages.map(({ content }) => content)).toEqual(["a", "in time"]);
  });
});

test("with busy: merge, an update that comes after a turn has taken its prompts is answered once, by the next turn", async () => {
  const store = await memoryPlace().open();
  const seen: (readonly string[])[] = [];
  let second: Promise<unknown> = Promise.resolve();
  const bot = createBotSession({
    store,
    platform: "telegram",
    scope: "user",
    busy: "merge",
    respond({ messages }) {
      seen.push(messages.map(textOf));
      return "ok";
    },
    // Called after the turn has taken its prompts and before it reads the conversation.
    async onSessionStart({ sessionId }) {
      second = bot.handle({ id: 2, user: 42, text: "two" });
      await expect.poll(async () => (await store.getChatHistory(sessionId)).length).toBe(2);
    },
  });
  expect(await bot.handle({ id: 1, user: 42, text: "one" })).toMatchObject({ outcome: "answered" });
  expect(await second).toMatchObject({ outcome: "answered" });
  expect(seen).toEqual([["one"], ["one", "ok", "two"]]);
});
