import {
  Agent,
  type AgentInputItem,
  MemorySession,
  OutputGuardrailTripwireTriggered,
  RunState,
  run,
  type Session,
  setTracingDisabled,
  tool,
  user,
} from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { createManagedAgent } from "@sessions/managed-agent";
import { storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { openaiAgentsRunner, openaiSession } from "../src/index.js";
import { messageOf } from "../src/items/item-message.js";
import { adder } from "./scripted-agent.mjs";

setTracingDisabled(true);

/** An agent whose tool needs an approval. */
function payer(): Agent {
  const pay = tool({
    name: "pay",
    description: "Pays.",
    parameters: z.object({ amount: z.number() }),
    needsApproval: true,
    execute: async ({ amount }) => `paid ${amount}`,
  });
  const steps = [[functionCall("pay", { amount: 5 }, { callId: "c1" })], [assistantMessage("It is paid.")]];
  return new Agent({ name: "payer", model: new ScriptedModel(steps), tools: [pay] });
}

/** Asks, and goes on with the approval from a state that was stored in between, as another process would. */
async function approveLater(session: Session): Promise<AgentInputItem[]> {
  const agent = payer();
  const asked = await run(agent, "Pay.", { session });
  expect(asked.interruptions).toHaveLength(1);
  const state = await RunState.fromString(agent, asked.state.toString());
  for (const interruption of state.getInterruptions()) state.approve(interruption);
  const { finalOutput } = await run(agent, state, { session });
  expect(finalOutput).toBe("It is paid.");
  return session.getItems();
}

test.each(storeKinds)(
  "a run that waits for an approval is resumed from its stored state: $name",
  async ({ open }) => {
    const items = await approveLater(openaiSession(await open(), "s"));
    expect(items).toEqual(await approveLater(new MemorySession()));
    expect(items.map((item) => item.type)).toEqual([
      "message",
      "function_call",
      "function_call_result",
      "message",
    ]);
  },
);

test.each(storeKinds)(
  "a message that was added while a run waited for an approval comes after the tool's result: $name",
  async ({ open }) => {
    const store = await open();
    const session = openaiSession(store, "s");
    const agent = payer();
    const asked = await run(agent, "Pay.", { session });
    await openaiSession(store, "s").addItems([user("From elsewhere.")]);
    for (const interruption of asked.state.getInterruptions()) asked.state.approve(interruption);
    await run(agent, asked.state, { session });
    const items = await session.getItems();
    expect(items.map((item) => item.type)).toEqual([
      "message",
      "function_call",
      "function_call_result",
      "message",
      "message",
    ]);
    expect((await session.getItems(4)).map((item) => item.type)).toEqual([
      "function_call",
      "function_call_result",
      "message",
      "message",
    ]);
    // It is stored in the order of arrival: before the result that it is read after.
    const stored = (await store.getSession("s"))?.messages ?? [];
    const from = stored.findIndex((message) => JSON.stringify(message).includes("From elsewhere."));
    expect(stored[from + 1]?.["item"]).toMatchObject({ type: "function_call_result" });
    // Popped one by one, they go in the order in which they are read.
    const popped: (AgentInputItem | undefined)[] = [];
    for (const _ of items) popped.unshift(await session.popItem());
    expect(popped).toEqual(items);
    expect(await session.getItems()).toEqual([]);
    const model = new ScriptedModel([[assistantMessage("Yes.")]]);
    const managed = createManagedAgent({
      store,
      sessionId: "m",
      config: {},
      runner: openaiAgentsRunner(new Agent({ name: "a", model })),
    });
    const [question, call, result, elsewhere, answer] = items.map((item) => messageOf(item));
    await store.addMessage(
      "m",
      [question, call, elsewhere, result, answer].flatMap((one) => one ?? []),
    );
    await managed.execute("Is it?");
    const sent = model.lastCall?.request.input;
    expect(Array.isArray(sent) ? sent.slice(0, -1) : sent).toEqual(items);
  },
);

/** A run whose tool has worked and whose answer a guardrail blocks: what has happened is stored, the answer is not. */
async function blocked(session: Session): Promise<AgentInputItem[]> {
  const steps = [[functionCall("add", { a: 1, b: 2 }, { callId: "c1" })], [assistantMessage("A secret.")]];
  const agent = new Agent({
    name: "a",
    model: new ScriptedModel(steps),
    tools: [adder()],
    outputGuardrails: [
      { name: "no secrets", execute: async () => ({ tripwireTriggered: true, outputInfo: "secret" }) },
    ],
  });
  await expect(run(agent, "Tell.", { session })).rejects.toThrow(OutputGuardrailTripwireTriggered);
  return session.getItems();
}

test.each(storeKinds)(
  "an answer that a guardrail blocks leaves the same items as in the SDK's own session: $name",
  async ({ open }) => {
    const items = await blocked(openaiSession(await open(), "s"));
    expect(items).toEqual(await blocked(new MemorySession()));
    expect(JSON.stringify(items)).not.toContain("secret");
  },
);
