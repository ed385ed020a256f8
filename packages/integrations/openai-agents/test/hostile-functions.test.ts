import { Agent, run, setTracingDisabled, user } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { createManagedAgent, type ManagedAgent, type Runner } from "@sessions/managed-agent";
import type { SessionStore } from "@sessions/protocol";
import {
  hostileFunctions,
  memoryPlace,
  refuseUnhandledRejections,
  settleTurn,
  watchedFunction,
} from "test-tools";
import { describe, expect, test } from "vitest";
import { openaiAgentsRunner, openaiSession } from "../src/index.js";
import { adder } from "./scripted-agent.mjs";

setTracingDisabled(true);
refuseUnhandledRejections();

const HOSTILE = hostileFunctions();
const model = (): ScriptedModel =>
  new ScriptedModel([
    [functionCall("add", { a: 1, b: 2 }, { callId: "c1" })],
    [assistantMessage("Three.", { id: "a1" })],
  ]);

/** An agent as a program without types may make it. */
function untypedAgent(options: Record<string, unknown> = {}): Agent {
  return new Agent(Object.assign({ name: "adder", model: model(), tools: [adder()] }, options));
}

function agentOn(store: SessionStore, runner: Runner): ManagedAgent {
  return createManagedAgent({ store, sessionId: "s", config: {}, runner, ttlMs: 5000 });
}

const RUNNERS: readonly (readonly [string, (call: () => unknown) => Runner])[] = [
  ["context", (call) => openaiAgentsRunner(untypedAgent(), { context: call })],
  ["instructions", (call) => openaiAgentsRunner(untypedAgent({ instructions: call }))],
  ["a tool", (call) => openaiAgentsRunner(untypedAgent({ tools: [{ ...adder(), invoke: call }] }))],
  ["isEnabled", (call) => openaiAgentsRunner(untypedAgent({ tools: [{ ...adder(), isEnabled: call }] }))],
  [
    "needsApproval",
    (call) => openaiAgentsRunner(untypedAgent({ tools: [{ ...adder(), needsApproval: call }] })),
  ],
  ["a model", (call) => openaiAgentsRunner(untypedAgent({ model: modelThat(call) }))],
  [
    "an input guardrail",
    (call) => openaiAgentsRunner(untypedAgent({ inputGuardrails: [{ name: "g", execute: call }] })),
  ],
  [
    "an output guardrail",
    (call) => openaiAgentsRunner(untypedAgent({ outputGuardrails: [{ name: "g", execute: call }] })),
  ],
];

function modelThat(call: () => unknown): object {
  return {
    async *getStreamedResponse() {
      yield await call();
    },
  };
}

describe.each(RUNNERS)("%s", (_name, runnerWith) => {
  test.each(HOSTILE)(
    "a function that $how ends its turn with the outcome that the caller gets",
    async (hostile) => {
      const store = await memoryPlace().open();
      const watching = watchedFunction(hostile);
      const result = await settleTurn(agentOn(store, runnerWith(watching.call)), "1 + 2?", watching);
      const session = await store.getSession("s");
      expect(session?.turn).toBeUndefined();
      expect(session?.lastTurn?.outcome === "completed").toBe(result.status === "fulfilled");
      const next = await agentOn(store, openaiAgentsRunner(untypedAgent())).execute("And now?");
      expect(next.text).toBe("Three.");
    },
  );
});

describe("metadata", () => {
  test.each(HOSTILE)("a metadata function that $how stores all items of a call or none", async ({ call }) => {
    const store = await memoryPlace().open();
    const options: Record<string, unknown> = { metadata: call };
    const session = openaiSession(store, "s", options);
    const [added] = await Promise.allSettled([run(untypedAgent(), "1 + 2?", { session, context: {} })]);
    const items = await openaiSession(store, "s").getItems();
    expect(items.length).toBe(added.status === "fulfilled" ? 4 : 0);
    await openaiSession(store, "s").addItems([user("And now?")]);
    expect((await openaiSession(store, "s").getItems()).length).toBe(items.length + 1);
  });
});

describe("an earlier session", () => {
  test.each(HOSTILE.filter(({ hangs }) => !hangs))(
    "an earlier session whose getItems $how fails the call, changes nothing, and is read again by the next call",
    async ({ call }) => {
      const store = await memoryPlace().open();
      let getItems = call;
      const importFrom = { getItems: () => getItems() };
      const options: Record<string, unknown> = { importFrom };
      const session = openaiSession(store, "s", options);
      await expect(session.addItems([user("And now?")])).rejects.toSatisfy(() => true);
      expect(await store.sessionExists("s")).toBe(false);
      getItems = async () => [user("Hi.")];
      await session.addItems([user("And now?")]);
      expect((await session.getItems()).length).toBe(2);
    },
  );
});
