import {
  Agent,
  type AgentInputItem,
  type NonStreamRunOptions,
  run,
  type Session,
  setTracingDisabled,
  user,
} from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { memoryPlace, storeKinds, withMethods } from "test-tools";
import { expect, test } from "vitest";
import { openaiSession } from "../src/index.js";
import { askingAgent } from "./scripted-agent.mjs";

setTracingDisabled(true);

const typesOf = (items: readonly AgentInputItem[]): readonly unknown[] => items.map((item) => item.type);

/** What a run sends, and the limits that it reads the session with. */
async function sent(session: Session, options: Pick<NonStreamRunOptions, "sessionInputCallback"> = {}) {
  const limits: unknown[] = [];
  const watched = withMethods(session, {
    getItems(limit) {
      limits.push(limit);
      return session.getItems(limit);
    },
  });
  const model = new ScriptedModel([[assistantMessage("Yes.")]]);
  await run(new Agent({ name: "a", model }), "Well?", { ...options, session: watched });
  const input = model.lastCall?.request.input;
  return { items: Array.isArray(input) ? input : [], limits };
}

test("a limit cuts the call from its result, and a call whose result was popped is not sent", async () => {
  const session = openaiSession(await memoryPlace().open(), "s");
  await session.addItems([
    user("1 + 2?"),
    functionCall("add", { a: 1, b: 2 }, { callId: "c1" }),
    { type: "function_call_result", callId: "c1", name: "add", status: "completed", output: "3" },
  ]);
  expect(typesOf(await session.getItems(1))).toEqual(["function_call_result"]);
  await session.popItem();
  expect(typesOf(await session.getItems())).toEqual(["message", "function_call"]);
  expect(typesOf((await sent(session)).items)).toEqual(["message", "message"]);
});

test("a run reads the whole history, and sends what sessionInputCallback chooses of it", async () => {
  const session = openaiSession(await memoryPlace().open(), "s");
  await session.addItems(["a", "b", "c"].map((text) => user(text)));
  const { items, limits } = await sent(session, {
    sessionInputCallback: (history, input) => [...history.slice(-1), ...input],
  });
  expect(items).toMatchObject([{ content: [{ text: "c" }] }, { content: "Well?" }]);
  expect(limits.length).toBeGreaterThan(0);
  expect(limits.filter((limit) => limit !== undefined)).toEqual([]);
});

test.each(storeKinds)(
  "a message that is added while a tool runs never comes between the calls and their results: $name",
  async ({ open }) => {
    const store = await open();
    const interrupting = askingAgent("q", async () => {
      await openaiSession(store, "s").addItems([user("from elsewhere")]);
      return undefined;
    });
    await run(interrupting, "question q", { session: openaiSession(store, "s") });
    const types = typesOf(await openaiSession(store, "s").getItems());
    const calls = ["function_call", "function_call", "function_call_result", "function_call_result"];
    expect(types.slice(types.indexOf("function_call"))).toEqual([...calls, "message"]);
    expect(types.filter((type) => type === "message")).toHaveLength(4);
  },
);
