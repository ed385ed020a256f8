import { type Session, SessionError, type SessionStore } from "@sessions/protocol";
import {
  answerTextOf,
  FAULT_CODES,
  type FailingStore,
  failingStore,
  historyProblems,
  SCRIPT_TEXT,
  type StoreFault,
} from "test-tools";
import { expect, test } from "vitest";
import {
  createManagedAgent,
  type FollowEvent,
  followTurn,
  type ManagedAgent,
  type ManagedAgentOptions,
  type Runner,
  type TurnResult,
} from "../src/index.js";
import { scripted } from "./scripted-runner.js";

/** What a call does to a session, and what must be true after it and after its retry. */
interface Scenario {
  /** What is there before. */
  readonly prepare: (sound: SessionStore) => Promise<void>;
  /** What is called; the same again is the caller's natural retry. */
  readonly act: (world: World) => Promise<unknown>;
  readonly check: (world: World, results: readonly unknown[]) => Promise<void>;
}

interface World {
  readonly agent: ManagedAgent;
  /** One whose model fails in the middle of its answer. */
  readonly failing: ManagedAgent;
  /** One that must condense a long conversation before it can ask its model. */
  readonly condensing: ManagedAgent;
  readonly sound: SessionStore;
  readonly store: SessionStore;
  /** How many times the model was asked. */
  readonly runs: () => number;
}

/** One fault of these is waited out: the call comes to its end without the caller's help. */
const PASSING: readonly string[] = ["STORE_BUSY", "STORE_UNAVAILABLE", "OUTCOME_UNKNOWN"];

/** Long enough for a loaded machine, short enough to be waited for: some faults leave a lease behind. */
const TTL_MS = 2000;

const MODEL_DOWN = new Error("the model is down");

function worldOf({ store, sound }: Pick<FailingStore, "store" | "sound">): World {
  let runs = 0;
  const runner: Runner = (turn) => {
    runs++;
    return scripted()(turn);
  };
  const agentOf = (more: Partial<ManagedAgentOptions>): ManagedAgent =>
    createManagedAgent({
      store,
      sessionId: "s",
      config: { name: "tested" },
      ttlMs: TTL_MS,
      queue: { waitMs: 30_000 },
      checkpoint: { everyChars: 1 },
      runner,
      ...more,
    });
  return {
    agent: agentOf({}),
    failing: agentOf({ runner: scripted(undefined, { index: 11, act: () => Promise.reject(MODEL_DOWN) }) }),
    condensing: agentOf({ context: { maxTokens: 60, keepTokens: 20, summarize: () => "All of it." } }),
    sound,
    store,
    runs: () => runs,
  };
}

async function sessionIn({ sound }: World): Promise<Session> {
  const session = await sound.getSession("s");
  if (session === undefined) throw new Error("there is no session");
  return session;
}

/** One turn, asked once, answered whole, counted once for each time that the model was asked. */
async function expectOneTurn(world: World, results: readonly unknown[]): Promise<void> {
  const session = await sessionIn(world);
  expect(session.turn).toBeUndefined();
  expect(session.messages.filter(({ role }) => role === "user")).toHaveLength(1);
  expect(answerTextOf(session.messages)).toBe(SCRIPT_TEXT);
  expect(historyProblems(session.messages)).toEqual([]);
  expect(session.counters["turns"]).toBe(1);
  expect(session.counters["inputTokens"]).toBeGreaterThanOrEqual(10);
  expect(session.counters["inputTokens"]).toBeLessThanOrEqual(10 * Math.max(1, world.runs()));
  for (const result of results) expect(messagesOf(result)).toEqual(session.messages.slice(1));
}

function messagesOf(result: unknown): unknown {
  return typeof result === "object" && result !== null && "messages" in result ? result.messages : result;
}

const nothing = async (): Promise<void> => undefined;

const completed = async (sound: SessionStore): Promise<void> => {
  await worldOf({ store: sound, sound }).agent.execute("What is it?", { turnId: "t1" });
};

const longConversation = async (sound: SessionStore): Promise<void> => {
  for (let n = 0; n < 4; n++)
    await sound.addMessage("s", [
      { role: "user", content: `Question ${n} ${"?".repeat(40)}` },
      { role: "assistant", content: `Answer ${n} ${"!".repeat(40)}` },
    ]);
};

/** A turn that failed between its tools. */
const failed = async (sound: SessionStore): Promise<void> => {
  const runner = scripted(undefined, { index: 6, act: () => Promise.reject(MODEL_DOWN) });
  const agent = createManagedAgent({ store: sound, sessionId: "s", config: {}, runner });
  await Promise.allSettled([agent.execute("What is it?", { turnId: "t1" })]);
};

/** A turn whose process is gone. */
const running = async (sound: SessionStore): Promise<void> => {
  const prompt = { role: "user", content: "What is it?", metadata: { turnId: "t1", prompt: true } };
  const begun = await sound.beginTurn("s", { turnId: "t1", messages: prompt, ttlMs: 60_000, renew: false });
  if (begun.status === "begun")
    await begun.turn.append({ role: "assistant", content: "Well", metadata: { turnId: "t1" } });
};

const execute = ({ agent }: World): Promise<TurnResult> => agent.execute("What is it?", { turnId: "t1" });

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  execute: { prepare: nothing, act: execute, check: expectOneTurn },
  "execute again what is completed": {
    prepare: completed,
    act: execute,
    async check(world, results) {
      expect(world.runs()).toBe(0);
      await expectOneTurn(world, results);
    },
  },
  stream: {
    prepare: nothing,
    async act({ agent }) {
      const stream = agent.stream("What is it?", { turnId: "t1" });
      for await (const _ of stream);
      return stream.result;
    },
    check: expectOneTurn,
  },
  "execute, and the model fails": {
    prepare: nothing,
    async act({ failing }) {
      const [settled] = await Promise.allSettled([failing.execute("What is it?", { turnId: "t1" })]);
      if (settled.status === "rejected" && settled.reason !== MODEL_DOWN) throw settled.reason;
    },
    async check(world) {
      // A holder that gets TURN_LOST does not end its turn. The turn expires.
      await expect
        .poll(async () => (await sessionIn(world)).turn?.status, { timeout: 10 * TTL_MS })
        .not.toBe("running");
      const { messages, turn, counters } = await sessionIn(world);
      expect(messages.filter(({ role }) => role === "user")).toHaveLength(1);
      expect(answerTextOf(messages)).toBe("Let me look. The answer is ");
      if (turn !== undefined) return;
      expect(historyProblems(messages)).toEqual([]);
      expect(counters["turns"]).toBeUndefined();
      expect([10, 20]).toContain(counters["inputTokens"]); // once for each time that the model was asked
    },
  },
  "execute in a conversation that is too long": {
    prepare: longConversation,
    act: ({ condensing }) => condensing.execute("What is it?", { turnId: "t1" }),
    async check(world, results) {
      const { messages, turn, archives, messageCount } = await sessionIn(world);
      expect(turn).toBeUndefined();
      expect(archives.reduce((sum, one) => sum + one.messageCount, messageCount)).toBe(8 + 1 + 4);
      expect(answerTextOf(messages).endsWith(SCRIPT_TEXT)).toBe(true);
      for (const result of results) expect(messagesOf(result)).toEqual(messages.slice(-4));
    },
  },
  "recover, keep": {
    prepare: failed,
    act: ({ agent }) => agent.recover({ strategy: "keep" }),
    async check(world) {
      const { cutOff } = await worldOf({ ...world, store: world.sound }).agent.resume("s");
      const { messages } = await sessionIn(world);
      expect(cutOff).toBeUndefined();
      expect(answerTextOf(messages)).toBe("Let me look. ");
      expect(historyProblems(messages)).toEqual([]);
    },
  },
  "recover, discard": {
    prepare: failed,
    act: ({ agent }) => agent.recover({ strategy: "discard" }),
    async check(world) {
      expect((await sessionIn(world)).messages).toEqual([]);
    },
  },
  "recover, retry": {
    prepare: failed,
    act: ({ agent }) => agent.recover({ strategy: "retry" }),
    async check(world) {
      await expectOneTurn(world, []);
    },
  },
  "recover with force": {
    prepare: running,
    act: ({ agent }) => agent.recover({ strategy: "retry", force: true }),
    async check(world) {
      await expectOneTurn(world, []);
    },
  },
  interrupt: {
    prepare: running,
    act: ({ agent }) => agent.interrupt(),
    async check(world, results) {
      expect((await sessionIn(world)).turn?.interrupted).toBe(true);
      expect(results).not.toContain(false);
    },
  },
  follow: {
    prepare: running,
    async act({ store, sound }) {
      const told: FollowEvent[] = [];
      for await (const event of followTurn(store, "s")) {
        told.push(event);
        if (event.type === "text-delta") await sound.interruptTurn("s", { force: true });
      }
      return told.map(({ type }) => type);
    },
    async check(_world, results) {
      for (const types of results)
        expect([["turn-began", "text-delta", "turn-ended"], []]).toContainEqual(types);
    },
  },
};

test.each(Object.entries(SCENARIOS))(
  "one failed call of the store loses, doubles and invents nothing: %s",
  async (name, scenario) => {
    const sound = failingStore();
    await scenario.prepare(sound.sound);
    const world = worldOf(sound);
    const result = await scenario.act(world);
    const faults = sound.calls.flatMap((_, call) =>
      (["before", "after"] as const).flatMap((when) => FAULT_CODES.map((code) => ({ call, when, code }))),
    );
    await scenario.check(world, [result]);
    const problems = await Promise.all(faults.map((fault) => problemOf(scenario, fault)));
    console.info(`${name}: ${faults.length} combinations of a call, a code, and before or after its effect`);
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  },
);

/** Repeats a call while it is refused because an earlier attempt still has its lease. */
async function retriedBy(act: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!SessionError.is(error, "TURN_BUSY")) throw error;
    }
    await new Promise<void>((resolve) => setTimeout(resolve, TTL_MS / 20));
  }
}

/** What is wrong after a fault and the caller's retry; `undefined` if nothing is. */
async function problemOf(scenario: Scenario, fault: StoreFault): Promise<string | undefined> {
  const failing = failingStore(fault);
  await scenario.prepare(failing.sound);
  const world = worldOf(failing);
  const [first] = await Promise.allSettled([scenario.act(world)]);
  const what = `${fault.code} ${fault.when} call ${fault.call} (${failing.calls[fault.call]})`;
  try {
    if (PASSING.includes(fault.code)) expect(first).toMatchObject({ status: "fulfilled" });
    const result = first.status === "fulfilled" ? first.value : await retriedBy(() => scenario.act(world));
    await scenario.check(world, [result]);
    return undefined;
  } catch (error) {
    return `${what}: ${String(error)}`;
  }
}
