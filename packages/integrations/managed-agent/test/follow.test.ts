import { SessionError, type SessionStore } from "@sessions/protocol";
import { Gate, memoryPlace, OtherProcess, SCRIPT, temporaryFolder, withMethods } from "test-tools";
import { describe, expect, test } from "vitest";
import {
  type AgentEvent,
  createManagedAgent,
  type FollowEvent,
  followTurn,
  type ManagedAgent,
} from "../src/index.js";
import { countingWatches } from "./counting-watches.js";
import { LONG_SCRIPT, textOfEvents } from "./long-script.js";
import { scripted } from "./scripted-runner.js";

const HALF = 100;
const isDone = (line: object): boolean => "done" in line;

/** Deltas of one kind that follow each other, as one. */
function joined(events: readonly FollowEvent[]): readonly FollowEvent[] {
  const all: FollowEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    const isMore =
      (event.type === "text-delta" || event.type === "reasoning-delta") && event.type === last?.type;
    if (isMore && "text" in last) all[all.length - 1] = { ...event, text: last.text + event.text };
    else all.push(event);
  }
  return all;
}

function eventsOf(process: OtherProcess): readonly FollowEvent[] {
  return process.lines.flatMap((line) => (isEvent(line) ? [line.event] : []));
}

function isEvent(line: object): line is { readonly event: FollowEvent } {
  return "event" in line;
}

function producer(root: string, options: object): OtherProcess {
  const script = { script: LONG_SCRIPT, paceMs: 2, checkpoint: { everyMs: 20 } };
  return new OtherProcess(new URL("./producer.mjs", import.meta.url), {
    root,
    sessionId: "s",
    turnIds: ["t1"],
    ...script,
    ...options,
  });
}

test("a follower in another process that starts late gets every event and the end", async () => {
  const root = await temporaryFolder();
  const producing = producer(root, { owner: "producer-1", holdAt: LONG_SCRIPT.length - 3 });
  await producing.untilLines(HALF);
  const follower = new OtherProcess(new URL("./follower.mjs", import.meta.url), { root, sessionId: "s" });
  await follower.until(isEvent); // it has come while the answer is being written
  await producing.until((line) => "holds" in line);
  producing.writeLine("go on");
  await follower.until(isDone);

  const [began, ...events] = eventsOf(follower);
  expect(began).toMatchObject({ type: "turn-began", turnId: "t1", owner: "producer-1" });
  expect(began).toMatchObject({ prompt: { content: "Question of t1" } });
  expect(joined(events.slice(0, -1))).toEqual(joined(LONG_SCRIPT));
  expect(events.at(-1)).toEqual({ type: "turn-ended", turnId: "t1", outcome: "completed" });
  for (const one of [producing, follower]) await one.end();
});

test("a follower gets the end of a killed producer's turn, whether it started before or after the kill", async () => {
  const root = await temporaryFolder();
  const producing = producer(root, { ttlMs: 2000, holdAt: 150 });
  await producing.untilLines(HALF);
  const present = new OtherProcess(new URL("./follower.mjs", import.meta.url), { root, sessionId: "s" });
  await present.until(isEvent);
  await producing.kill();
  const late = new OtherProcess(new URL("./follower.mjs", import.meta.url), { root, sessionId: "s" });
  for (const follower of [present, late]) {
    await follower.until(isDone);
    const events = eventsOf(follower);
    const told = events.filter((event): event is AgentEvent => !event.type.startsWith("turn-"));
    expect(textOfEvents(told)).not.toBe("");
    expect(textOfEvents(LONG_SCRIPT).startsWith(textOfEvents(told))).toBe(true);
    expect(events.at(-1)).toEqual({ type: "turn-ended", turnId: "t1", outcome: "cut-off" });
    await follower.end();
  }
});

describe("in one process", () => {
  async function held(): Promise<{
    readonly agent: ManagedAgent;
    readonly store: SessionStore;
    readonly gate: Gate;
    readonly watches: { open: number };
  }> {
    const { store, watches } = countingWatches(await memoryPlace().open());
    const gate = new Gate();
    const runner = scripted(SCRIPT, { index: 5, act: () => gate.passed });
    const agent = createManagedAgent({ store, sessionId: "s", config: {}, runner });
    return { agent, store, gate, watches };
  }

  /** What a follower sees; `at` is called for each event. */
  async function seen(
    events: AsyncIterable<FollowEvent>,
    at: (event: FollowEvent) => void = () => undefined,
  ): Promise<readonly FollowEvent[]> {
    const all: FollowEvent[] = [];
    for await (const event of events) {
      all.push(event);
      at(event);
    }
    return all;
  }

  test("following an idle session ends at once, and an unknown session is SESSION_NOT_FOUND", async () => {
    const { agent, store } = await held();
    await expect(seen(agent.follow("s"))).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await store.createSession("s");
    expect(await seen(agent.follow("s"))).toEqual([]);
  });

  test("a follower gets the outcome and the error of a turn", async () => {
    const { agent, gate } = await held();
    const stream = agent.stream("Hello.", { turnId: "t1" });
    const isCall = (event: FollowEvent): boolean => event.type === "tool-call";
    for await (const event of stream) if (isCall(event)) break; // which stops the turn
    await expect(stream.result).rejects.toMatchObject({ code: "TURN_LOST", reason: "interrupted" });

    const failing = agent.execute("Again.", { turnId: "t2" });
    await gate.reached;
    const following = seen(agent.follow("s"), (event) => {
      if (isCall(event)) gate.fail(new Error("the model is down"));
    });
    await expect(failing).rejects.toThrow("the model is down");
    const end = { type: "turn-ended", turnId: "t2", outcome: "failed", error: "Error: the model is down" };
    expect((await following).at(-1)).toEqual(end);
  });

  test("a follower gets an interruption that another process requests", async () => {
    const { agent, gate } = await held();
    const running = agent.execute("Hello.", { turnId: "t1" });
    await gate.reached;
    const following = seen(agent.follow("s"));
    expect(await agent.interrupt()).toBe(true);
    await expect(running).rejects.toMatchObject({ code: "TURN_LOST" });
    expect((await following).at(-1)).toMatchObject({ type: "turn-ended", outcome: "interrupted" });
    expect(await agent.interrupt()).toBe(false);
  });

  test("a follower gets every event although the store's change feed fails for a moment", async () => {
    const { agent, store, gate } = await held();
    let watches = 0;
    const flickering = withMethods(store, {
      watch: (target) => {
        if (++watches > 1) return store.watch(target);
        throw SessionError.of("STORE_UNAVAILABLE", "The feed is down.", {});
      },
    });
    const running = agent.execute("Hello.", { turnId: "t1" });
    await gate.reached;
    const events = await seen(followTurn(flickering, "s"), (event) => {
      if (event.type === "tool-call") gate.open();
    });
    await running;
    expect(watches).toBeGreaterThan(1);
    expect(events.at(-1)).toEqual({ type: "turn-ended", turnId: "t1", outcome: "completed" });
  });

  test("a follower that is aborted while the store cannot be read ends without an error", async () => {
    const { store } = await held();
    const stop = new AbortController();
    const busy = withMethods(store, {
      getSession: async () => {
        setImmediate(() => stop.abort(new Error("enough")));
        throw SessionError.of("STORE_BUSY", "The store is busy.", {});
      },
    });
    expect(await seen(followTurn(busy, "s", { signal: stop.signal }))).toEqual([]);
  });

  test("a follower that stops or is aborted closes its watch", async () => {
    const { agent, gate, watches } = await held();
    const running = agent.execute("Hello.");
    await gate.reached;
    const ofTurn = watches.open;
    for await (const event of agent.follow("s")) if (event.type === "tool-call") break;
    const stop = new AbortController();
    const calledOff = seen(agent.follow("s", { signal: stop.signal }), (event) => {
      if (event.type === "tool-call") stop.abort();
    });
    expect((await calledOff).at(-1)).toMatchObject({ type: "tool-call" });
    await expect.poll(() => watches.open).toBe(ofTurn);
    gate.open();
    await running;
  });

  describe("a follower that reads again after other turns have run gets the true end of its own turn", () => {
    const words: AgentEvent = { type: "text-delta", text: "words" };
    const ends: Readonly<Record<string, (world: SlowFollower) => Promise<void>>> = {
      completed: async ({ gate }) => gate.open(),
      failed: async ({ gate }) => gate.fail(new Error("the model is down")),
      interrupted: async ({ agent }) => void (await agent.interrupt()),
    };

    interface SlowFollower {
      readonly agent: ManagedAgent;
      readonly gate: Gate;
    }

    /** The end that a follower gets if `others` ran before it read again. */
    async function toldAfter(
      script: readonly AgentEvent[],
      end: (world: SlowFollower) => Promise<void>,
      others: (world: SlowFollower) => Promise<unknown>,
    ): Promise<FollowEvent | undefined> {
      const gate = new Gate();
      let isFirst = true;
      const agent = createManagedAgent({
        store: await memoryPlace().open(),
        sessionId: "s",
        config: {},
        runner: async function* () {
          yield* script;
          const wait = isFirst ? gate.passed : undefined;
          isFirst = false;
          await wait;
        },
      });
      const turn = Promise.allSettled([agent.execute("?", { turnId: "t1" })]);
      await gate.reached;
      const follower = agent.follow("s")[Symbol.asyncIterator]();
      expect((await follower.next()).value).toMatchObject({ type: "turn-began", turnId: "t1" });
      await end({ agent, gate });
      await turn;
      await others({ agent, gate });
      return (await seen({ [Symbol.asyncIterator]: () => follower })).at(-1);
    }

    test.each(Object.entries(ends))(
      "a follower gets the outcome %s, with and without text",
      async (outcome, end) => {
        const call: AgentEvent = { type: "tool-call", toolCallId: "c", toolName: "look", input: {} };
        const result: AgentEvent = { type: "tool-result", toolCallId: "c", toolName: "look", output: 1 };
        for (const script of [[], [words], [call, result]]) {
          const next = ({ agent }: SlowFollower): Promise<unknown> =>
            agent.execute("Next.", { turnId: "t2" });
          expect(await toldAfter(script, end, next)).toMatchObject({ turnId: "t1", outcome });
        }
      },
    );

    test("a follower of a failed attempt gets the outcome failed, even if a second attempt has completed", async () => {
      const again = ({ agent }: SlowFollower): Promise<unknown> => agent.execute("?", { turnId: "t1" });
      const end = async ({ gate }: SlowFollower): Promise<void> => gate.fail(new Error("the model is down"));
      expect(await toldAfter([words], end, again)).toMatchObject({ turnId: "t1", outcome: "failed" });
    });

    test.each([
      [7, "completed"],
      [8, "unknown"],
    ])("after %i more turns, a follower gets the end of a completed turn as %s", async (turns, outcome) => {
      const many = async ({ agent }: SlowFollower): Promise<void> => {
        for (let n = 0; n < turns; n++) await agent.execute("Next.");
      };
      const end = async ({ gate }: SlowFollower): Promise<void> => gate.open();
      expect(await toldAfter([words], end, many)).toMatchObject({ turnId: "t1", outcome });
    });
  });
});
