import { Agent, setTracingDisabled, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { createManagedAgent } from "@sessions/managed-agent";
import type { SessionStore } from "@sessions/protocol";
import { Gate, memoryPlace, withTurns } from "test-tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { openaiAgentsRunner } from "../src/index.js";

setTracingDisabled(true);

test("the SDK runs a tool while its call is being stored", async () => {
  const stored = new Gate();
  const store = gatedCommits(await memoryPlace().open(), "tool-call", stored);
  const look = tool({
    name: "look",
    description: "Looks.",
    parameters: z.object({}),
    execute: async () => {
      await stored.reached; // the call is on its way to the store, and stays there
      stored.open();
      return "a cat";
    },
  });
  const steps = [[functionCall("look", {}, { callId: "c1" })], [assistantMessage("A cat.")]];
  const runner = openaiAgentsRunner(new Agent({ name: "a", model: new ScriptedModel(steps), tools: [look] }));
  const { text } = await createManagedAgent({ store, sessionId: "s", config: {}, runner }).execute("What?");
  expect(text).toBe("A cat.");
});

/** A store whose turns delay a commit that contains `mark` until the gate is open. */
function gatedCommits(store: SessionStore, mark: string, gate: Gate): SessionStore {
  return withTurns(store, (turn) => ({
    async commit(...call) {
      if (JSON.stringify(call[0]).includes(mark)) await gate.passed;
      return turn.commit(...call);
    },
  }));
}
