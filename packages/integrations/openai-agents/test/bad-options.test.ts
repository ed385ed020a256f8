import { Agent } from "@openai/agents";
import { memoryPlace } from "test-tools";
import { expect, test } from "vitest";
import { openaiAgentsRunner } from "../src/runner/openai-agents-runner.js";
import { openaiSession } from "../src/session/openai-session.js";

type Loose = (...args: unknown[]) => unknown;
const INVALID = expect.objectContaining({ code: "INVALID_ARGUMENT" });
const NO_OPTIONS = [null, 5, "x", [], new Map(), { noSuchOption: 1 }];

test("openaiSession refuses an invalid store and unknown options", async () => {
  const create = openaiSession as Loose;
  const store = await memoryPlace().open();
  for (const options of NO_OPTIONS) expect(() => create(store, "s", options)).toThrow(INVALID);
  for (const given of [null, 5, {}]) expect(() => create(given, "s")).toThrow(INVALID);
  expect(() => create(store, "s", { onCear: "archive" })).toThrow('Did you mean "onClear"?');
  expect(() => create(store, "s", { onClear: "hide" })).toThrow(INVALID);
});

test("openaiAgentsRunner refuses unknown options", () => {
  const create = openaiAgentsRunner as Loose;
  const agent = new Agent({ name: "a" });
  for (const options of NO_OPTIONS) expect(() => create(agent, options)).toThrow(INVALID);
  expect(() => create(agent, { maxTurn: 3 })).toThrow('Did you mean "maxTurns"?');
});

test("a session rejects items that are no array, and arguments that are no object", async () => {
  const session = openaiSession(await memoryPlace().open(), "s");
  for (const items of [null, undefined, 5, {}]) {
    await expect(session.addItems(items as never)).rejects.toEqual(INVALID);
    await expect(session.replaceHistoryWithCompaction(items as never)).rejects.toEqual(INVALID);
    await expect(session.applyHistoryMutations(items as never)).rejects.toEqual(INVALID);
    await expect(session.applyHistoryTransaction(items as never)).rejects.toEqual(INVALID);
  }
});
