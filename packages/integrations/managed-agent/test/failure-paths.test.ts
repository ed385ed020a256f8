import {
  type ErrorCode,
  type ErrorDetails,
  type ErrorFields,
  SessionError,
  type SessionStore,
  systemClock,
} from "@sessions/protocol";
import { answerTextOf, historyProblems, SCRIPT, SCRIPT_TEXT, type StoreKind, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { createManagedAgent, type ManagedAgent, type Runner, type TurnResult } from "../src/index.js";
import { type Fault, faultyStore, type Moment } from "./faulty-store.js";
import { hurriedClock } from "./hurried-clock.js";
import { lyingStores } from "./lying-stores.js";
import { scripted } from "./scripted-runner.js";

/** One way in which a turn can go wrong. */
interface Path {
  readonly runner?: (world: World) => Runner;
  readonly fault?: Fault;
  /** The code of the error that the caller gets, or its message. Absent: the turn completes all the same. */
  readonly error?: string;
  /** The stored outcome of the turn, if it is determined. */
  readonly outcome: "completed" | "failed" | "interrupted" | "running" | "nothing";
}

interface World {
  readonly agent: () => ManagedAgent;
  readonly stop: AbortController;
  /** The same sessions, through another store. */
  readonly elsewhere: SessionStore;
}

const broken = (index: number): Path => ({
  runner: () =>
    scripted(SCRIPT, {
      index,
      act: async () => {
        throw new Error("the model is down");
      },
    }),
  error: "the model is down",
  outcome: "failed",
});

const stopped = (act: (world: World) => Promise<void> | void): Pick<Path, "runner"> => ({
  runner: (world) => scripted(SCRIPT, { index: 9, act: async () => act(world) }),
});

function code<Code extends ErrorCode>(name: Code, fields: ErrorDetails[Code]): () => Promise<void> {
  return async () => {
    const given: ErrorFields<Code> = fields;
    throw SessionError.of(name, "made to fail", given);
  };
}

const ERRORS = {
  STORE_BUSY: code("STORE_BUSY", {}),
  STORE_UNAVAILABLE: code("STORE_UNAVAILABLE", {}),
  STORE_FULL: code("STORE_FULL", {}),
  REVISION_CONFLICT: code("REVISION_CONFLICT", { expected: 1, actual: 2 }),
  SESSION_CORRUPTED: code("SESSION_CORRUPTED", {}),
  OUTCOME_UNKNOWN: code("OUTCOME_UNKNOWN", { commitId: "x" }),
} satisfies Partial<Record<ErrorCode, () => Promise<void>>>;

const OUTCOME_AT: Readonly<Record<Moment, Path["outcome"]>> = {
  begin: "nothing",
  checkpoint: "failed",
  complete: "failed",
  fail: "running",
};

/** Each error of a store, lasting, at each write of a turn. */
function lasting(name: keyof typeof ERRORS): Readonly<Record<string, Path>> {
  const moments: readonly Moment[] = ["begin", "checkpoint", "complete"];
  return Object.fromEntries(
    moments.map((at) => [
      `${name} for good at the ${at}`,
      { fault: { at: [at], strike: ERRORS[name] }, error: name, outcome: OUTCOME_AT[at] } satisfies Path,
    ]),
  );
}

const closes: Fault["strike"] = (store) => store.close();

const PATHS: Readonly<Record<string, Path>> = {
  "nothing goes wrong": { outcome: "completed" },
  "the runner throws before its first event": broken(0),
  "the runner throws in the middle of a text": broken(2),
  "the runner throws before a tool has answered": broken(4),
  "the runner throws between the answers of two tools": broken(6),
  "the runner throws after its last event": broken(SCRIPT.length),
  "the runner is no generator": {
    runner: () => () => {
      throw new Error("not even begun");
    },
    error: "not even begun",
    outcome: "failed",
  },
  "the runner tells an event that nobody knows": {
    runner: () => scripted([...SCRIPT, JSON.parse('{"type":"song"}')]),
    error: "INVALID_ARGUMENT",
    outcome: "failed",
  },
  "the runner tells a message that the store refuses": {
    runner: () => scripted([...SCRIPT, { type: "message", message: { role: "" } }]),
    error: "INVALID_ARGUMENT",
    outcome: "failed",
  },
  "the caller's signal aborts": {
    ...stopped(({ stop }) => stop.abort(new Error("enough"))),
    error: "enough",
    outcome: "interrupted",
  },
  "it is interrupted here": {
    ...stopped(({ agent }) => void agent().interrupt()),
    error: "TURN_LOST",
    outcome: "interrupted",
  },
  "it is interrupted before its first event, and does not listen": {
    runner:
      ({ agent }) =>
      () => {
        void agent().interrupt();
        return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) };
      },
    error: "TURN_LOST",
    outcome: "interrupted",
  },
  "it is interrupted from elsewhere": {
    ...stopped(async ({ elsewhere, agent }) => {
      await elsewhere.interruptTurn(agent().sessionId);
      await new Promise(() => undefined); // a runner that does not listen
    }),
    error: "TURN_LOST",
    outcome: "interrupted",
  },
  "its lease is taken away": {
    ...stopped(async ({ elsewhere, agent }) => {
      await elsewhere.interruptTurn(agent().sessionId, { force: true });
      await new Promise(() => undefined);
    }),
    error: "TURN_LOST",
    outcome: "interrupted",
  },
  ...lasting("STORE_BUSY"),
  ...lasting("STORE_UNAVAILABLE"),
  ...lasting("STORE_FULL"),
  ...lasting("REVISION_CONFLICT"),
  ...lasting("SESSION_CORRUPTED"),
  "the reply to the beginning is lost": {
    fault: { at: ["begin"], when: "after", strike: ERRORS.OUTCOME_UNKNOWN },
    error: "OUTCOME_UNKNOWN",
    outcome: "running",
  },
  "OUTCOME_UNKNOWN for good at a checkpoint that was not made": {
    fault: { at: ["checkpoint"], strike: ERRORS.OUTCOME_UNKNOWN },
    error: "OUTCOME_UNKNOWN",
    outcome: "failed",
  },
  "OUTCOME_UNKNOWN for good at a checkpoint that was made": {
    fault: { at: ["checkpoint"], when: "after", strike: ERRORS.OUTCOME_UNKNOWN },
    error: "OUTCOME_UNKNOWN",
    outcome: "failed",
  },
  "OUTCOME_UNKNOWN for good at an end that was made": {
    fault: { at: ["complete"], when: "after", strike: ERRORS.OUTCOME_UNKNOWN },
    error: "OUTCOME_UNKNOWN",
    outcome: "completed",
  },
  "busy for a moment at every checkpoint": {
    fault: { at: ["checkpoint"], times: 3, strike: ERRORS.STORE_BUSY },
    outcome: "completed",
  },
  "unavailable for a moment at the end": {
    fault: { at: ["complete"], times: 3, strike: ERRORS.STORE_UNAVAILABLE },
    outcome: "completed",
  },
  "the reply to a checkpoint is lost": {
    fault: { at: ["checkpoint"], when: "after", skip: 2, times: 2, strike: ERRORS.OUTCOME_UNKNOWN },
    outcome: "completed",
  },
  "the reply to the end is lost": {
    fault: { at: ["complete"], when: "after", times: 2, strike: ERRORS.OUTCOME_UNKNOWN },
    outcome: "completed",
  },
  "the runner throws, and that cannot be saved either": {
    ...broken(6),
    fault: { at: ["fail"], strike: ERRORS.STORE_UNAVAILABLE },
    outcome: "running",
  },
  "nothing can be saved from the first checkpoint on": {
    fault: { at: ["checkpoint", "complete", "fail"], strike: ERRORS.STORE_UNAVAILABLE },
    error: "STORE_UNAVAILABLE",
    outcome: "running",
  },
  "the store is closed before the beginning": {
    fault: { at: ["begin"], times: 1, strike: closes },
    error: "STORE_CLOSED",
    outcome: "nothing",
  },
  "the store is closed at a checkpoint": {
    fault: { at: ["checkpoint"], times: 1, strike: closes },
    error: "TURN_LOST",
    outcome: "running",
  },
  "the store is closed at the end": {
    fault: { at: ["complete"], times: 1, strike: closes },
    error: "TURN_LOST",
    outcome: "running",
  },
};

describe.each(storeKinds)("on $name", (kind) => {
  test.each(Object.entries(PATHS))("%s", (_, path) => walk(kind, path));
});

describe("the checks notice a store that", () => {
  test.each(Object.entries(lyingStores))("%s", async (_, lie) => {
    const [memory] = storeKinds;
    if (memory === undefined) throw new Error("there is no store");
    const walks = Object.values(PATHS).map((path) => walk(memory, path, lie));
    expect((await Promise.allSettled(walks)).map(({ status }) => status)).toContain("rejected");
  });
});

/** Goes one of the ways, and looks what became of it. */
async function walk(kind: StoreKind, path: Path, bent = (store: SessionStore) => store): Promise<void> {
  const place = await kind.place();
  const [store, elsewhere] = [await place.open(), await place.open()];
  const stop = new AbortController();
  const agent = createManagedAgent({
    store: bent(path.fault === undefined ? store : faultyStore(store, path.fault)),
    sessionId: "s",
    config: { name: "tested" },
    runner: path.runner?.({ agent: () => agent, stop, elsewhere }) ?? scripted(),
    checkpoint: { everyChars: 1 },
    // A fault that passes must be retried to its end, even on a slow machine.
    clock: path.error === undefined ? systemClock : hurriedClock,
  });

  const turn = agent.execute("What is it?", { turnId: "t1", signal: stop.signal });
  const [settled] = await Promise.allSettled([turn]);
  check(settled, path);
  await checkStored(elsewhere, settled, path);

  // And it can go on: the same turn again, on a store that works, with the question asked once.
  await elsewhere.interruptTurn("s", { force: true }).catch(notFound);
  const after = createManagedAgent({ store: elsewhere, sessionId: "s", config: {}, runner: scripted() });
  expect(answerTextOf((await after.execute("What is it?", { turnId: "t1" })).messages)).toBe(SCRIPT_TEXT);
  const { messages } = await after.retrieveSession("s");
  expect(messages.filter((message) => message.role === "user")).toHaveLength(1);
  expect(answerTextOf(messages)).toBe(SCRIPT_TEXT);
  expect(historyProblems(messages)).toEqual([]);
}

function check(settled: PromiseSettledResult<TurnResult>, { error }: Path): void {
  if (settled.status === "fulfilled") {
    expect(error).toBeUndefined();
    expect(answerTextOf(settled.value.messages)).toBe(SCRIPT_TEXT);
    return;
  }
  const { reason } = settled;
  expect(SessionError.is(reason) ? reason.code : String(reason.message)).toBe(error);
}

/** The stored session, read by another store. */
async function checkStored(
  store: SessionStore,
  settled: PromiseSettledResult<TurnResult>,
  { outcome }: Path,
): Promise<void> {
  const session = await store.getSession("s");
  if (outcome === "nothing") {
    expect(session?.messages ?? []).toEqual([]);
    return;
  }
  const messages = session?.messages ?? [];
  expect(messages.filter((message) => message.role === "user")).toHaveLength(1);
  expect(SCRIPT_TEXT.startsWith(answerTextOf(messages))).toBe(true);
  if (outcome === "running") return expect(session?.turn?.turnId).toBe("t1");
  expect(session?.lastTurn).toMatchObject({ turnId: "t1", outcome });
  if (settled.status === "fulfilled") expect(messages.slice(1)).toEqual(settled.value.messages);
  expect(messages.filter((message) => message.status === "partial")).toEqual([]);
  expect(session?.counters["turns"] ?? 0).toBe(outcome === "completed" ? 1 : 0);
  if (outcome === "completed") {
    expect(answerTextOf(messages)).toBe(SCRIPT_TEXT);
    expect(session?.counters).toEqual({ inputTokens: 10, outputTokens: 5, turns: 1 });
    expect(session?.metadata["state.mood"]).toBe("sure");
  }
  // A lease that was taken away leaves its calls open: the next turn answers them.
  if (session?.lastTurn?.error !== undefined || outcome === "completed")
    expect(historyProblems(messages)).toEqual([]);
}

function notFound(error: unknown): void {
  expect(SessionError.is(error, "SESSION_NOT_FOUND")).toBe(true);
}
