import { failingStore, memoryPlace, withMethods } from "test-tools";
import { expect, test } from "vitest";
import type { AgentEvent } from "../src/index.js";
import { agentWith } from "./agent-with.js";
import { scripted } from "./scripted-runner.js";
import { slowCompletion } from "./slow-completion.js";

const WORDS: AgentEvent = { type: "text-delta", text: "Well." };
const USAGE: AgentEvent = { type: "usage", usage: { inputTokens: 10 } };
const STATE: AgentEvent = { type: "state", patch: { mood: "sure" } };
const CALL: AgentEvent = { type: "tool-call", toolCallId: "c", toolName: "look", input: {} };

/** An agent, and the commits that it makes, each as the names of its operations. */
async function committing(
  script: readonly AgentEvent[],
  before?: Parameters<typeof scripted>[1],
): Promise<Awaited<ReturnType<typeof agentWith>> & { readonly commits: () => readonly string[] }> {
  const { store, calls } = failingStore();
  const made = await agentWith({ store, runner: scripted(script, before) });
  return { ...made, commits: () => calls.filter((name) => name !== "read") };
}

test("one commit takes the lease and adds the prompt, and one ends the turn with its answer, usage and state", async () => {
  const { agent, commits } = await committing([WORDS, USAGE, STATE]);
  await agent.execute("Hello.");
  expect(commits()).toHaveLength(3);
  const [created, began, ended] = commits();
  expect(created).toBe("create");
  expect(began?.split("+").sort()).toEqual(["append", "turn.begin"]);
  expect(ended?.split("+")).toEqual(expect.arrayContaining(["append", "count", "set", "turn.end"]));
  expect(await agent.retrieveSession("s")).toMatchObject({
    messages: [{ content: "Hello." }, { content: "Well." }],
    counters: { inputTokens: 10, turns: 1 },
    metadata: { "state.mood": "sure" },
    lastTurn: { outcome: "completed" },
  });
});

test("execute resolves when the commit that ends the turn is stored", async () => {
  const place = memoryPlace();
  const slow = slowCompletion(await place.open());
  const { agent } = await agentWith({ store: slow, runner: scripted([WORDS]) });
  await agent.execute("Hello.");
  const session = await (await place.open()).getSession("s");
  expect(session).toMatchObject({ lastTurn: { outcome: "completed" }, messages: [{}, { content: "Well." }] });
});

test("a process that dies before its turn has begun leaves an empty session and nothing to recover", async () => {
  const store = await memoryPlace().open();
  const dying = withMethods(store, { beginTurn: () => new Promise(() => undefined) });
  const { agent: dead } = await agentWith({ store: dying });
  void dead.execute("Hello.");
  await expect.poll(() => store.sessionExists("s")).toBe(true);
  const { agent } = await agentWith({ store });
  const { session, cutOff } = await agent.resume("s");
  expect(session.messages).toEqual([]);
  expect(cutOff).toBeUndefined();
  expect(await agent.recover({ strategy: "retry" })).toBeUndefined();
});

test("one commit ends a turn that failed: its error, the partial answer, its open calls and its usage", async () => {
  const act = (): Promise<never> => Promise.reject(new Error("the model is down"));
  const { agent, commits } = await committing([CALL, USAGE, WORDS], { index: 3, act });
  await expect(agent.execute("Hello.")).rejects.toThrow("the model is down");
  // The session, the beginning, the call before the runner goes on, and the end.
  expect(commits()).toHaveLength(4);
  expect(commits().at(-1)?.split("+")).toContain("turn.end");
  expect(await agent.retrieveSession("s")).toMatchObject({
    messages: [
      { role: "user" },
      { role: "assistant", status: "interrupted", content: [{ type: "tool-call" }, { text: "Well." }] },
      { role: "tool", content: [{ toolCallId: "c", output: { type: "error-text" } }] },
    ],
    counters: { inputTokens: 10 },
    lastTurn: { outcome: "failed", error: "Error: the model is down" },
  });
});
