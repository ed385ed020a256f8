import { Agent, type AgentInputItem, run, setTracingDisabled, user } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import type { SessionStore } from "@sessions/protocol";
import { FAULT_CODES, failingStore, type StoreFault } from "test-tools";
import { describe, expect, test } from "vitest";
import { openaiSession } from "../src/index.js";
import { adder } from "./scripted-agent.mjs";

setTracingDisabled(true);

function agentThatAdds(): Agent {
  const steps = [
    [functionCall("add", { a: 1, b: 2 }, { callId: "c1" })],
    [assistantMessage("Three.", { id: "a1" })],
  ];
  return new Agent({ name: "adder", model: new ScriptedModel(steps), tools: [adder()] });
}

const OLD: AgentInputItem[] = [user("Hi."), user("Hello?")];

interface Scenario {
  readonly name: string;
  /** What is there before, written through a store that never fails. */
  readonly before?: readonly AgentInputItem[];
  readonly run: (store: SessionStore) => Promise<unknown>;
  /** What the caller gets, and the texts and types that are stored then. */
  readonly told: unknown;
  readonly items: readonly string[];
}

const EXCHANGE = ["user 1 + 2?", "function_call", "function_call_result", "assistant Three."];

const SCENARIOS: readonly Scenario[] = [
  {
    name: "a run with a tool",
    run: async (store) =>
      (await run(agentThatAdds(), "1 + 2?", { session: openaiSession(store, "s") })).finalOutput,
    told: "Three.",
    items: EXCHANGE,
  },
  {
    name: "a streamed run",
    run: async (store) => {
      const session = openaiSession(store, "s");
      const result = await run(agentThatAdds(), "1 + 2?", { session, stream: true });
      for await (const _ of result);
      await result.completed;
      return result.finalOutput;
    },
    told: "Three.",
    items: EXCHANGE,
  },
  {
    name: "addItems and getItems",
    run: async (store) => {
      const session = openaiSession(store, "s");
      await session.addItems([user("Bye.")]);
      return (await session.getItems()).length;
    },
    before: OLD,
    told: 3,
    items: ["user Hi.", "user Hello?", "user Bye."],
  },
  {
    name: "popItem",
    run: async (store) => {
      const item = await openaiSession(store, "s").popItem();
      return item === undefined ? undefined : nameOf(item);
    },
    before: OLD,
    told: "user Hello?",
    items: ["user Hi."],
  },
  {
    name: "clearSession",
    run: (store) => openaiSession(store, "s").clearSession(),
    before: OLD,
    told: undefined,
    items: [],
  },
  {
    name: "clearSession that archives",
    run: (store) => openaiSession(store, "s", { onClear: "archive" }).clearSession(),
    before: OLD,
    told: undefined,
    items: [],
  },
  {
    name: "a compaction",
    run: (store) => openaiSession(store, "s").replaceHistoryWithCompaction([user("In short.")]),
    before: OLD,
    told: undefined,
    items: ["user In short."],
  },
  {
    name: "an append as a transaction",
    run: async (store) =>
      openaiSession(store, "s").applyHistoryTransaction({
        operationId: "op",
        transaction: { type: "append_items", items: [user("Bye.")] },
      }),
    before: OLD,
    told: undefined,
    items: ["user Hi.", "user Hello?", "user Bye."],
  },
  {
    name: "a replaced suffix",
    run: async (store) =>
      openaiSession(store, "s").applyHistoryTransaction({
        operationId: "op",
        transaction: { type: "replace_suffix", expectedSuffix: OLD.slice(1), replacement: [user("Bye.")] },
      }),
    before: OLD,
    told: undefined,
    items: ["user Hi.", "user Bye."],
  },
  {
    name: "an import",
    run: async (store) => {
      const importFrom = openaiSession(failingStore().sound, "old");
      await importFrom.addItems([...OLD]);
      return (await openaiSession(store, "s", { importFrom }).getItems()).length;
    },
    told: 2,
    items: ["user Hi.", "user Hello?"],
  },
];

function nameOf(item: AgentInputItem): string {
  if (!("role" in item)) return String(item.type);
  const text = typeof item.content === "string" ? item.content : JSON.stringify(item.content);
  return `${item.role} ${/"text":"([^"]*)"/.exec(text)?.[1] ?? text}`;
}

async function play({ before = [], run: play }: Scenario, fault?: StoreFault) {
  const { store, sound, calls } = failingStore(fault);
  if (before.length > 0) await openaiSession(sound, "s").addItems([...before]);
  const told = await play(store);
  const items = (await openaiSession(sound, "s").getItems()).map(nameOf);
  return { calls, told, items };
}

/** Every way in which one of these calls can fail. There is no turn here that could be lost. */
function faultsIn(calls: readonly string[]): readonly StoreFault[] {
  const codes = FAULT_CODES.filter((code) => code !== "TURN_LOST");
  return calls.flatMap((_, call) =>
    codes.flatMap((code) => {
      const before: StoreFault = { call, when: "before", code };
      return [before, { ...before, when: "after" }];
    }),
  );
}

describe("whichever call of the store fails once, a session does what it was asked, once", () => {
  test.each(SCENARIOS)("$name", async (scenario) => {
    const { calls } = await play(scenario);
    const faults = faultsIn(calls);
    const right = { told: scenario.told, items: scenario.items };
    const outcomes = await Promise.all(
      faults.map(async (fault) => {
        const failed = (error: unknown) => ({ told: String(error), items: [] });
        const { told, items } = await play(scenario, fault).catch(failed);
        return { ...fault, what: calls[fault.call], told, items };
      }),
    );
    expect(outcomes).toEqual(faults.map((fault) => ({ ...fault, what: calls[fault.call], ...right })));
    console.info(`${scenario.name}: ${faults.length} combinations of ${calls.length} calls`);
  });
});
