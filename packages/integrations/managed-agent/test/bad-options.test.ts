import { openMemoryStore } from "@sessions/memory";
import { expect, test } from "vitest";
import { createManagedAgent } from "../src/create-managed-agent.js";
import { followTurn } from "../src/follow/follow-turn.js";
import type { Runner } from "../src/index.js";

type Loose = (...args: unknown[]) => unknown;
const INVALID = expect.objectContaining({ code: "INVALID_ARGUMENT" });
const NO_OPTIONS = [null, 5, "x", [], new Map(), { noSuchOption: 1 }];

const store = openMemoryStore();
const runner: Runner = async function* () {
  yield { type: "text-delta", text: "Hello." };
};
const needed = { store, runner, config: {} };
const agent = createManagedAgent(needed);
await agent.setState({ made: true });

test("createManagedAgent refuses unknown options, also nested ones", () => {
  const create = createManagedAgent as Loose;
  for (const options of NO_OPTIONS) expect(() => create(options)).toThrow(INVALID);
  expect(() => create({ ...needed, chekpoint: {} })).toThrow('Did you mean "checkpoint"?');
  expect(() => create({ ...needed, checkpoint: { everyMS_: 1 } })).toThrow('Did you mean "everyMs"?');
  expect(() => create({ ...needed, context: { maxToken: 1 } })).toThrow('Did you mean "maxTokens"?');
  expect(() => create({ ...needed, queue: null })).toThrow(INVALID);
});

test.each<[string, Loose]>([
  ["execute", (options) => agent.execute("Hello.", options as never)],
  ["interrupt", (options) => agent.interrupt(options as never)],
  ["resume", (options) => agent.resume(agent.sessionId, options as never)],
  ["recover", (options) => agent.recover(options as never)],
  [
    "follow",
    (options) =>
      agent
        .follow(agent.sessionId, options as never)
        [Symbol.asyncIterator]()
        .next(),
  ],
  ["followTurn", (options) => followTurn(store, agent.sessionId, options as never).next()],
  ["state", (options) => agent.state(options as never)],
  ["usage", (options) => agent.usage(options as never)],
  ["forkSession", (options) => agent.forkSession(options as never)],
  ["resetSession", (options) => agent.resetSession(options as never)],
  ["listSessions", (options) => agent.listSessions(options as never)],
  ["retrieveSession", (options) => agent.retrieveSession(agent.sessionId, options as never)],
])("%s rejects unknown options", async (_, call) => {
  for (const options of NO_OPTIONS) {
    const promise = call(options) as PromiseLike<unknown>;
    await expect(Promise.resolve(promise), String(options)).rejects.toEqual(INVALID);
  }
});

test("stream and execute refuse a prompt that is not a message", async () => {
  for (const options of NO_OPTIONS) expect(() => agent.stream("Hello.", options as never)).toThrow(INVALID);
  await expect(agent.execute(null as never)).rejects.toEqual(INVALID);
});
