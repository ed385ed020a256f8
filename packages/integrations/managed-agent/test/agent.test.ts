import { Gate, memoryPlace, type Place, SCRIPT, type StoreKind, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import {
  createManagedAgent,
  type ManagedAgent,
  type ManagedAgentOptions,
  type RunnerTurn,
} from "../src/index.js";
import { scripted } from "./scripted-runner.js";

async function agentAt(place: Place, options: Partial<ManagedAgentOptions> = {}): Promise<ManagedAgent> {
  const store = await place.open();
  return createManagedAgent({ store, sessionId: "s", config: { name: "a" }, runner: scripted(), ...options });
}

async function two(kind: StoreKind): Promise<readonly [ManagedAgent, ManagedAgent]> {
  const place = await kind.place();
  return [await agentAt(place), await agentAt(place)];
}

describe.each(storeKinds)("on $name", (kind) => {
  test("two agents that change different keys of the state keep each other's changes, and a cleared key stays cleared", async () => {
    const [one, other] = await two(kind);
    await Promise.all([one.setState({ a: 1, keep: [1] }), other.setState({ b: { deep: null } })]);
    expect(await one.state()).toEqual({ a: 1, b: { deep: null }, keep: [1] });
    await other.setState({ a: null });
    expect(await one.state()).toEqual({ b: { deep: null }, keep: [1] });
    await one.execute("Hello."); // whose runner sets one key
    expect(await other.state()).toEqual({ b: { deep: null }, keep: [1], mood: "sure" });
    expect(await (await agentAt(await kind.place())).state()).toEqual({});
  });

  test("a change of the state while a turn runs is kept", async () => {
    const gate = new Gate();
    const place = await kind.place();
    const runner = scripted(SCRIPT, { index: 3, act: () => gate.passed });
    const [running, other] = [await agentAt(place, { runner }), await agentAt(place)];
    const turn = running.execute("Hello.");
    await gate.reached;
    await other.setState({ since: true });
    gate.open();
    await turn;
    expect(await other.state()).toEqual({ since: true, mood: "sure" });
  });

  test("usage adds up across agents and restarts", async () => {
    const place = await kind.place();
    for (let n = 0; n < 3; n++) await (await agentAt(place)).execute(`${n}`);
    expect(await (await agentAt(place)).usage()).toEqual({ inputTokens: 30, outputTokens: 15, turns: 3 });
  });

  test("a new config is a new version that the next turn of any process uses, with the same session and usage", async () => {
    const seen: RunnerTurn[] = [];
    const runner = (turn: RunnerTurn) => {
      seen.push(turn);
      return scripted()(turn);
    };
    const place = await kind.place();
    const [one, other] = [await agentAt(place, { runner }), await agentAt(place, { runner })];
    await one.execute("First.");
    const versions = await Promise.all([
      one.updateAgent({ name: "b", tools: ["look"] }),
      other.updateAgent({ name: "c", tools: [] }),
    ]);
    expect(versions.map(({ version }) => version).sort()).toEqual([2, 3]);
    await other.updateAgent({ name: "d", tools: ["look"], temperature: 0 });
    await one.execute("Second.");
    expect(seen.map((turn) => turn.config)).toEqual([
      { name: "a" },
      { name: "d", tools: ["look"], temperature: 0 },
    ]);
    expect(await one.usage()).toMatchObject({ turns: 2 });
    const fresh = await agentAt(place, { config: { name: "fresh" } });
    const { config, session } = await fresh.resume("s");
    expect(config).toEqual({ name: "d", tools: ["look"], temperature: 0 });
    expect(session).toMatchObject({ labels: { agent: "d" }, metadata: { "agent.version": 4 } });
  });

  test("an agent resets, forks, lists and retrieves sessions", async () => {
    const place = await kind.place();
    const agent = await agentAt(place);
    await agent.execute("Hello.");
    const fork = await agent.forkSession({ title: "a fork" });
    expect(agent.sessionId).toBe("s");
    expect((await agent.retrieveSession(fork.sessionId)).messages).toEqual(
      (await agent.retrieveSession("s")).messages,
    );
    await agent.resetSession({ sessionId: "empty" });
    expect(agent.sessionId).toBe("empty");
    expect(await agent.state()).toEqual({});
    await expect(agent.resetSession({ sessionId: "s" })).rejects.toMatchObject({ code: "SESSION_EXISTS" });
    expect(agent.sessionId).toBe("empty");
    const { items } = await agent.listSessions();
    expect(items.map((session) => session.id).sort()).toEqual(["empty", fork.sessionId, "s"].sort());
    const other = await agentAt(place, { sessionId: "others", config: { name: "other" } });
    await other.execute("Hello.");
    expect((await other.listSessions()).items).toMatchObject([{ id: "others", labels: { agent: "other" } }]);
    expect((await agent.listSessions()).items).toHaveLength(3);
  });
});

test("a session that was not created by the agent gets its config with the first turn", async () => {
  const place = memoryPlace();
  const store = await place.open();
  await store.addMessage("s", { role: "user", content: "from elsewhere" });
  await (await agentAt(place)).execute("Hello.");
  expect(await store.getSession("s", { messages: "none" })).toMatchObject({
    labels: { agent: "a" },
    metadata: { "agent.config": { name: "a" }, "agent.version": 1 },
  });
});

test("an agent without a name lists the sessions of all agents", async () => {
  const place = memoryPlace();
  await (await agentAt(place, { sessionId: "named", config: { name: "a" } })).execute("Hello.");
  const agent = await agentAt(place, { sessionId: "mine", config: {} });
  await agent.execute("Hello.");
  const { items } = await agent.listSessions();
  expect(items.map(({ id }) => id).sort()).toEqual(["mine", "named"]);
});
