import { Agent, type ModelProvider, setTracingDisabled } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { createManagedAgent, type ManagedAgent } from "@sessions/managed-agent";
import type { SessionStore } from "@sessions/protocol";
import { memoryPlace, storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { openaiAgentsRunner } from "../src/index.js";

setTracingDisabled(true);

const saying = (text: string): ScriptedModel => new ScriptedModel([[assistantMessage(text)]]);

function managed(store: SessionStore, agent: Agent): ManagedAgent {
  return createManagedAgent({ store, sessionId: "s", config: {}, runner: openaiAgentsRunner(agent) });
}

test.each(storeKinds)(
  "a turn begins with the agent of the last handoff, as long as the handoffs lead there: $name",
  async ({ open }) => {
    const store = await open();
    const expert = (): Agent => new Agent({ name: "expert", model: saying("I am the expert.") });
    const model = new ScriptedModel([[functionCall("transfer_to_expert", {}, { callId: "h1" })]]);
    await managed(store, new Agent({ name: "first", model, handoffs: [expert()] })).execute(
      "An expert, please.",
    );
    const state = async (): Promise<unknown> => (await managed(store, expert()).resume("s")).state;
    expect(await state()).toEqual({ lastAgent: "expert" });
    const first = saying("I am the first.");
    const between = new Agent({ name: "between", handoffs: [expert()] });
    const far = managed(store, new Agent({ name: "first", model: first, handoffs: [between] }));
    expect((await far.execute("Still there?")).text).toBe("I am the expert.");
    const alone = managed(store, new Agent({ name: "first", model: first }));
    expect((await alone.execute("Still there?")).text).toBe("I am the first.");
  },
);

test("the model of the session's config overrides that of the agent", async () => {
  const named: (string | undefined)[] = [];
  const modelProvider: ModelProvider = {
    getModel: (name) => {
      named.push(name);
      return saying("I am the one that was named.");
    },
  };
  const agent = new Agent({ name: "a", model: saying("I am the agent's own.") });
  const runner = openaiAgentsRunner(agent, { config: { modelProvider } });
  const store = await memoryPlace().open();
  const { text } = await createManagedAgent({ store, config: { model: "gpt-named" }, runner }).execute(
    "Who?",
  );
  expect([text, named]).toEqual(["I am the one that was named.", ["gpt-named"]]);
});
