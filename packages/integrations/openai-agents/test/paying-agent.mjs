import { appendFile, readFile } from "node:fs/promises";
import { Agent, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { z } from "zod";

/** The payments in a file, one on each line. */
export async function payments(file) {
  try {
    return (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

/**
 * An agent whose tool needs an approval, and writes each payment into a file. `steps` are the answers of its model, which begins anew in each
 * process. `after` runs between the payment and the end of the tool.
 */
export function payingAgent(file, steps, after = async () => undefined) {
  const pay = tool({
    name: "pay",
    description: "Pays.",
    parameters: z.object({ amount: z.number() }),
    needsApproval: true,
    execute: async ({ amount }) => {
      await appendFile(file, `${amount}\n`);
      await after();
      return `paid ${amount}`;
    },
  });
  const model = new ScriptedModel(steps);
  return { agent: new Agent({ name: "payer", model, tools: [pay] }), model };
}

export const asksToPay = (amount, callId) => [functionCall("pay", { amount }, { callId })];
export const answers = (text) => [assistantMessage(text)];
