import { Agent, setTracingDisabled, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { createManagedAgent } from "@sessions/managed-agent";
import type { SessionStore, Turn } from "@sessions/protocol";
import { Gate, memoryPlace } from "test-tools";
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

/** A store whose turns keep a commit back that says this, until the gate is opened. */
function gatedCommits(store: SessionStore, mark: string, gate: Gate): SessionStore {
  const gated = (turn: Turn): Turn =>
    new Proxy(turn, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return async (...call: readonly unknown[]): Promise<unknown> => {
          if (name === "commit" && JSON.stringify(call[0]).includes(mark)) await gate.passed;
          return Reflect.apply(value, target, call);
        };
      },
    });
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "beginTurn") return value.bind(target);
      return async (...call: Parameters<SessionStore["beginTurn"]>) => {
        const begun = await target.beginTurn(...call);
        return begun.status === "begun" ? { ...begun, turn: gated(begun.turn) } : begun;
      };
    },
  });
}
