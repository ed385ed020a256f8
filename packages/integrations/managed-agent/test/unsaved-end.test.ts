import { openMemoryStore } from "@sessions/memory";
import { type Message, SessionError, type SessionStore } from "@sessions/protocol";
import { answerTextOf, historyProblems, withMethods, withTurns } from "test-tools";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../src/index.js";
import { agentWith } from "./agent-with.js";
import { scripted } from "./scripted-runner.js";

const MOST = Number.MAX_SAFE_INTEGER;
const USAGE: AgentEvent = { type: "usage", usage: { inputTokens: 10 } };
const WORDS: AgentEvent = { type: "text-delta", text: "These words " };

/** What is stored of a turn that failed, and that it has ended. */
async function storedFailure(store: SessionStore): Promise<readonly Message[]> {
  const session = await store.getSession("s");
  expect(session?.turn).toBeUndefined();
  expect(session?.lastTurn).toMatchObject({ turnId: "t1", outcome: "failed" });
  const messages = session?.messages ?? [];
  expect(messages.filter(({ status }) => status === "partial")).toEqual([]);
  expect(historyProblems(messages)).toEqual([]);
  return messages;
}

describe("a turn whose end the store refuses ends as failed with what can be stored", () => {
  test("a turn ends as failed without its counters if the counter of the session would exceed 2^53 - 1", async () => {
    const { agent, store } = await agentWith({ runner: scripted([WORDS, USAGE]) });
    await store.createSession("s", { counters: { inputTokens: MOST - 5 } });
    await expect(agent.execute("?", { turnId: "t1" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(answerTextOf(await storedFailure(store))).toBe("These words ");
    expect((await store.getSession("s"))?.counters).toEqual({ inputTokens: MOST - 5 });
  });

  test("a turn ends as failed without its counters even if the runner throws as well", async () => {
    const down = new Error("the model is down");
    const act = async (): Promise<void> => {
      throw down;
    };
    const { agent, store } = await agentWith({ runner: scripted([WORDS, USAGE], { index: 2, act }) });
    await store.createSession("s", { counters: { inputTokens: MOST - 5 } });
    await expect(agent.execute("?", { turnId: "t1" })).rejects.toBe(down);
    expect(down.cause).toBeUndefined();
    expect(answerTextOf(await storedFailure(store))).toBe("These words ");
  });

  test("a turn ends as failed with the beginning of a message that is too large for the store", async () => {
    const store = openMemoryStore({ limits: { messageBytes: 20_000 } });
    const long = "x".repeat(50_000);
    const runner = scripted([WORDS, { type: "text-delta", text: long }, USAGE]);
    const { agent } = await agentWith({ store, runner });
    await expect(agent.execute("?", { turnId: "t1" })).rejects.toMatchObject({ code: "TOO_LARGE" });
    const said = answerTextOf(await storedFailure(store));
    expect(`These words ${long}`.startsWith(said)).toBe(true);
    expect(said.length).toBeGreaterThan(15_000);
  });

  test("a turn ends as failed with the beginning of a message that exceeds the limit after checkpoints, and error results for its tool calls", async () => {
    const store = openMemoryStore({ limits: { messageBytes: 20_000 } });
    const call: AgentEvent = { type: "tool-call", toolCallId: "c", toolName: "look", input: {} };
    const runner = scripted([
      { type: "reasoning-delta", text: "Hm. " },
      WORDS,
      call,
      { type: "text-delta", text: "y".repeat(30_000) },
    ]);
    const { agent } = await agentWith({ store, runner });
    await expect(agent.execute("?", { turnId: "t1" })).rejects.toMatchObject({ code: "TOO_LARGE" });
    const said = answerTextOf(await storedFailure(store));
    expect(said.startsWith("These words yyy")).toBe(true);
    expect(said.length).toBeGreaterThan(15_000);
  });

  test("a turn ends as failed with the text before a message whose id is taken", async () => {
    const message = { id: "taken", role: "assistant", content: "other words" };
    const { agent, store } = await agentWith({ runner: scripted([WORDS, { type: "message", message }]) });
    await store.addMessage("s", { id: "taken", role: "user", content: "first" });
    await expect(agent.execute("?", { turnId: "t1" })).rejects.toMatchObject({ code: "MESSAGE_ID_TAKEN" });
    expect(answerTextOf(await storedFailure(store))).toBe("These words ");
  });

  test("a turn ends as failed with its text if the state is too large", async () => {
    const store = openMemoryStore({ limits: { metadataBytes: 100 } });
    const patch = { notes: "n".repeat(1000) };
    const { agent } = await agentWith({ store, runner: scripted([WORDS, { type: "state", patch }]) });
    await expect(agent.execute("?", { turnId: "t1" })).rejects.toMatchObject({ code: "TOO_LARGE" });
    expect(answerTextOf(await storedFailure(store))).toBe("These words ");
  });

  test("a turn ends as failed even if its answer was removed while it was written", async () => {
    const { agent, store } = await agentWith({
      checkpoint: { everyChars: 1 },
      runner: scripted([WORDS, USAGE, WORDS], {
        index: 1,
        act: async () => {
          await expect.poll(async () => (await store.getSession("s"))?.messages.length).toBe(2);
          const answer = (await store.getSession("s"))?.messages.at(-1);
          await store.removeMessages("s", [answer?.id ?? ""]);
        },
      }),
    });
    await expect(agent.execute("?", { turnId: "t1" })).rejects.toMatchObject({ code: "MESSAGE_NOT_FOUND" });
    await storedFailure(store);
  });
});

test("a failed turn changes no state", async () => {
  const act = async (): Promise<void> => {
    throw new Error("the model is down");
  };
  const script: readonly AgentEvent[] = [{ type: "state", patch: { mood: "sure" } }, WORDS];
  const { agent } = await agentWith({ runner: scripted(script, { index: 2, act }) });
  await expect(agent.execute("?")).rejects.toThrow("the model is down");
  expect(await agent.state()).toEqual({});
});

test("an error whose turn could not be ended either carries the reason as its cause", async () => {
  const sound = openMemoryStore();
  const unavailable = SessionError.of("STORE_UNAVAILABLE", "The store is down.", {});
  const store = withTurns(sound, () => ({ fail: () => Promise.reject(unavailable) }));
  const down = new Error("the model is down");
  const act = async (): Promise<void> => {
    throw down;
  };
  const { agent } = await agentWith({ store, ttlMs: 100, runner: scripted([WORDS], { index: 1, act }) });
  await expect(agent.execute("?")).rejects.toBe(down);
  expect(down.cause).toBe(unavailable);
});

test("an error that can carry no cause comes with the reason in an AggregateError", async () => {
  const sound = openMemoryStore();
  const unavailable = SessionError.of("STORE_UNAVAILABLE", "The store is down.", {});
  const store = withTurns(sound, () => ({ fail: () => Promise.reject(unavailable) }));
  const frozen = Object.freeze(new Error("the model is down"));
  const act = (): Promise<never> => Promise.reject(frozen);
  const { agent } = await agentWith({ store, ttlMs: 100, runner: scripted([WORDS], { index: 1, act }) });
  const failure = agent.execute("?");
  await expect(failure).rejects.toBeInstanceOf(AggregateError);
  await expect(failure).rejects.toMatchObject({ errors: [frozen, unavailable] });
});

describe("whatever a runner throws", () => {
  const unreadable = Object.defineProperty(new Error("never seen"), "message", {
    get() {
      throw new Error("the message throws");
    },
  });
  test.each<[string, unknown]>([
    ["an object without a prototype", Object.create(null)],
    ["an error whose message throws", unreadable],
    ["undefined", undefined],
  ])(
    "a turn whose runner throws %s ends as failed, and the caller gets the thrown value",
    async (_what, thrown) => {
      const act = async (): Promise<void> => {
        throw thrown;
      };
      const { agent, store } = await agentWith({ runner: scripted([WORDS, USAGE], { index: 1, act }) });
      const caught = await agent.execute("?", { turnId: "t1" }).then(
        () => ({ error: "nothing was thrown" }),
        (error: unknown) => ({ error }),
      );
      expect(Object.is(caught.error, thrown)).toBe(true);
      expect(answerTextOf(await storedFailure(store))).toBe("These words ");
    },
  );
});

test("a turn that fails in an outage expires within its lease, though nothing of its end could be read or written", async () => {
  const sound = openMemoryStore();
  const outage = { isDown: false };
  const down = async (): Promise<never> => {
    throw SessionError.of("STORE_UNAVAILABLE", "The store is down.", {});
  };
  const guarded = withTurns(sound, (turn) => ({
    commit: (...call) => (outage.isDown ? down() : turn.commit(...call)),
  }));
  const store = withMethods(guarded, {
    getSession: (...call) => (outage.isDown ? down() : sound.getSession(...call)),
    getMessages: (...call) => (outage.isDown ? down() : sound.getMessages(...call)),
  });
  const { agent } = await agentWith({
    store,
    ttlMs: 300,
    checkpoint: { everyChars: 1 },
    runner: async function* () {
      outage.isDown = true;
      yield WORDS;
      await new Promise(() => undefined);
    },
  });
  await expect(agent.execute("?", { turnId: "t1" })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(await sound.beginTurn("s", { waitMs: 20_000 })).toMatchObject({ status: "begun" });
});
