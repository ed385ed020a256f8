import { createManagedAgent, type ManagedAgent, type Runner } from "@sessions/managed-agent";
import type { SessionStore } from "@sessions/protocol";
import { tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import {
  hostileFunctions,
  memoryPlace,
  refuseUnhandledRejections,
  settleTurn,
  watchedFunction,
} from "test-tools";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { aiSdkRunner } from "../src/index.js";
import { calling, saying, scriptedModel } from "./scripted-model.mjs";

refuseUnhandledRejections();

const HOSTILE = hostileFunctions();
const STEPS = [calling(["c1", "add", { a: 1, b: 2 }]), saying("Three.")];
const inputSchema = z.object({ a: z.number(), b: z.number() });
const add = tool({ inputSchema, execute: async ({ a, b }) => a + b });

/** The runner's options as a caller without types may give them. */
function untypedRunner(options: Record<string, unknown>): Runner {
  const made: Parameters<typeof aiSdkRunner>[0] = Object.assign(
    { model: scriptedModel(STEPS), tools: { add }, maxRetries: 0, onError: () => undefined },
    options,
  );
  return aiSdkRunner(made);
}

function agentOn(store: SessionStore, runner: Runner): ManagedAgent {
  return createManagedAgent({ store, sessionId: "s", config: {}, runner, ttlMs: 5000 });
}

/** The stored outcome is the one that the caller got, and the session answers the next prompt. */
async function expectStoredOutcome(store: SessionStore, result: PromiseSettledResult<string>): Promise<void> {
  const session = await store.getSession("s");
  expect(session?.turn).toBeUndefined();
  expect(session?.lastTurn?.outcome === "completed").toBe(result.status === "fulfilled");
  expect((await agentOn(store, untypedRunner({})).execute("And now?")).text).toBe("Three.");
}

const CALLBACKS = [
  "onChunk",
  "onError",
  "onFinish",
  "onStepFinish",
  "experimental_onStart",
  "experimental_onStepStart",
  "experimental_onToolCallStart",
  "experimental_onToolCallFinish",
];

describe.each(CALLBACKS)("%s", (name) => {
  test.each(HOSTILE)("a callback that $how changes no turn", async (hostile) => {
    const store = await memoryPlace().open();
    const function_ = watchedFunction(hostile);
    const result = await settleTurn(
      agentOn(store, untypedRunner({ [name]: function_.call })),
      "1 + 2?",
      function_,
    );
    if (!hostile.hangs) expect(result).toEqual({ status: "fulfilled", value: "Three." });
    await expectStoredOutcome(store, result);
  });
});

test.each(HOSTILE)("an onError that $how does not hide the error of a model", async (hostile) => {
  const store = await memoryPlace().open();
  const down = new Error("the model is down");
  const model = new MockLanguageModelV3({ doStream: () => Promise.reject(down) });
  const function_ = watchedFunction(hostile);
  const result = await settleTurn(
    agentOn(store, untypedRunner({ model, onError: function_.call })),
    "1 + 2?",
    function_,
  );
  expect(result.status).toBe("rejected");
  if (!hostile.hangs) expect(result).toMatchObject({ reason: down });
  await expectStoredOutcome(store, result);
});

test.each(HOSTILE)("an onAbort that $how does not change a turn that is stopped", async (hostile) => {
  const store = await memoryPlace().open();
  const aborted = watchedFunction(hostile);
  const waiting = watchedFunction({ hangs: true, call: () => undefined });
  const runner = untypedRunner({ model: modelUntilStopped(waiting.call), onAbort: aborted.call });
  const result = await settleTurn(agentOn(store, runner), "1 + 2?", waiting);
  expect(result).toMatchObject({ status: "rejected", reason: { code: "TURN_LOST", reason: "interrupted" } });
  await aborted.reached;
  await expectStoredOutcome(store, result);
});

/** A model that sends nothing until it is aborted, and then fails as a request does. */
function modelUntilStopped(begin: () => unknown): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doStream: async ({ abortSignal }) => ({
      stream: new ReadableStream({
        start(controller) {
          begin();
          abortSignal?.addEventListener("abort", () =>
            controller.error(new DOMException("stopped", "AbortError")),
          );
        },
      }),
    }),
  });
}

const PARTS: readonly (readonly [string, (call: () => unknown) => Record<string, unknown>])[] = [
  ["model", (call) => ({ model: call })],
  ["doStream", (call) => ({ model: modelWith(call) })],
  ["a tool", (call) => ({ tools: { add: { inputSchema, execute: call } } })],
  [
    "toModelOutput",
    (call) => ({ tools: { add: { inputSchema, execute: add.execute, toModelOutput: call } } }),
  ],
  [
    "needsApproval",
    (call) => ({ tools: { add: { inputSchema, execute: add.execute, needsApproval: call } } }),
  ],
  ["prepareStep", (call) => ({ prepareStep: call })],
  ["stopWhen", (call) => ({ stopWhen: call })],
  ["experimental_transform", (call) => ({ experimental_transform: call })],
  ["experimental_repairToolCall", (call) => ({ tools: {}, experimental_repairToolCall: call })],
];

function modelWith(call: () => unknown): MockLanguageModelV3 {
  const model = scriptedModel(STEPS);
  return Object.assign(model, { doStream: call });
}

describe.each(PARTS)("%s", (_name, options) => {
  test.each(HOSTILE)(
    "a function that $how ends its turn with the outcome that the caller gets",
    async (hostile) => {
      const store = await memoryPlace().open();
      const function_ = watchedFunction(hostile);
      const result = await settleTurn(
        agentOn(store, untypedRunner(options(function_.call))),
        "1 + 2?",
        function_,
      );
      await expectStoredOutcome(store, result);
    },
  );
});
