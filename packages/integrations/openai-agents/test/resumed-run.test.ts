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
} from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { openaiSession } from "../src/index.js";
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
  "an answer that is blocked leaves the same as in the SDK's own session: $name",
  async ({ open }) => {
    const items = await blocked(openaiSession(await open(), "s"));
    expect(items).toEqual(await blocked(new MemorySession()));
    expect(JSON.stringify(items)).not.toContain("secret");
  },
);
