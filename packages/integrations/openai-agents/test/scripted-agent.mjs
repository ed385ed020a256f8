import { Agent, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { z } from "zod";

/** A tool that adds, and may be made to wait. */
export function adder(before = async () => undefined) {
  return tool({
    name: "add",
    description: "Adds two numbers.",
    parameters: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => {
      await before(a, b);
      return String(a + b);
    },
  });
}

/** An agent that calls `add` twice at once and then answers; all ids begin with the name of the question. */
export function askingAgent(name, before) {
  const call = (n) => functionCall("add", { a: n, b: n }, { callId: `${name}-call-${n}` });
  const steps = [[call(1), call(2)], [assistantMessage(`answer to ${name}`, { id: `${name}-answer` })]];
  return new Agent({ name: "adder", model: new ScriptedModel(steps), tools: [adder(before)] });
}
