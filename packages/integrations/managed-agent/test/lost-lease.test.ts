import { createMemoryData } from "@sessions/memory";
import { MemoryBackend } from "@sessions/memory/maintenance";
import { createStore, SessionError, type SessionStore, systemClock } from "@sessions/protocol/backend";
import { answerTextOf, Gate, memoryPlace, withMethods, withTurns } from "test-tools";
import { describe, expect, test } from "vitest";
import type { AgentEvent, Runner } from "../src/index.js";
import { agentWith } from "./agent-with.js";

const WORDS: AgentEvent = { type: "text-delta", text: "before " };

/** A runner that says a few words, does not listen to its signal, and keeps that signal for the test. */
function deaf(gate: Gate): { readonly runner: Runner; readonly signal: () => AbortSignal | undefined } {
  let given: AbortSignal | undefined;
  const runner: Runner = async function* ({ signal }) {
    given = signal;
    yield WORDS;
    await gate.passed;
    yield { type: "text-delta", text: "after" };
  };
  return { runner, signal: () => given };
}

describe("a turn whose lease is lost is stopped, writes nothing more, and says why:", () => {
  test("a turn that another caller ends by force is lost with the reason ended", async () => {
    const place = memoryPlace();
    const [store, elsewhere] = [await place.open(), await place.open()];
    const gate = new Gate();
    const { runner, signal } = deaf(gate);
    const { agent } = await agentWith({ store, runner, checkpoint: { everyChars: 1 } });
    const running = agent.execute("?");
    await gate.reached;
    await expect.poll(() => wordsIn(elsewhere)).toBe("before ");
    const { revision } = await elsewhere.interruptTurn("s", { force: true });
    await expect(running).rejects.toMatchObject({ code: "TURN_LOST", reason: "ended" });
    gate.open();
    expect(signal()?.aborted).toBe(true);
    expect(await elsewhere.getSession("s")).toMatchObject({ revision });
  });

  test("a turn whose session has another turn is lost with the reason taken-over", async () => {
    const place = memoryPlace();
    const [real, elsewhere] = [await place.open(), await place.open()];
    const unaware = new AbortController().signal;
    const store = withTurns(real, () => ({ signal: unaware }));
    const gate = new Gate();
    const { runner, signal } = deaf(gate);
    const { agent } = await agentWith({ store, runner, checkpoint: { everyChars: 1 } });
    const running = agent.execute("?");
    await gate.reached;
    await expect.poll(() => wordsIn(elsewhere)).toBe("before ");
    await elsewhere.interruptTurn("s", { force: true });
    await elsewhere.beginTurn("s", { turnId: "next" });
    gate.open();
    await expect(running).rejects.toMatchObject({ code: "TURN_LOST", reason: "taken-over" });
    expect(signal()?.aborted).toBe(true);
    expect(await elsewhere.getSession("s")).toMatchObject({ turn: { turnId: "next", status: "running" } });
    expect(await wordsIn(elsewhere)).toBe("before ");
  });

  test("a turn that could not be renewed for ttlMs is lost with the reason expired", async () => {
    const [data, outage] = [createMemoryData(), { isDown: false }];
    const engine = new MemoryBackend(data, () => systemClock.now());
    const sound = createStore(engine);
    const store = createStore(
      withMethods(engine, {
        commit: async (requests) => {
          if (outage.isDown) throw SessionError.of("STORE_UNAVAILABLE", "The store is down.", {});
          return engine.commit(requests);
        },
      }),
    );
    const gate = new Gate();
    const { runner, signal } = deaf(gate);
    const { agent } = await agentWith({ store, runner, ttlMs: 1000, checkpoint: { everyChars: 1 } });
    const running = agent.execute("?");
    await gate.reached;
    await expect.poll(() => wordsIn(sound)).toBe("before ");
    const before = (await sound.getSession("s"))?.revision;
    outage.isDown = true;
    await expect(running).rejects.toMatchObject({ code: "TURN_LOST", reason: "expired" });
    outage.isDown = false;
    gate.open();
    expect(signal()?.aborted).toBe(true);
    expect(await sound.getSession("s")).toMatchObject({ revision: before, turn: { status: "expired" } });
  });
});

async function wordsIn(store: SessionStore): Promise<string> {
  return answerTextOf((await store.getSession("s"))?.messages ?? []);
}
