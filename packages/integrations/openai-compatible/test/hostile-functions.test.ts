import { createManagedAgent } from "@sessions/managed-agent";
import { openMemoryStore } from "@sessions/memory";
import { Gate, type HostileFunction, hostileFunctions, refuseUnhandledRejections } from "test-tools";
import { describe, expect, test } from "vitest";
import { type OpenAICompatibleOptions, openaiCompatibleRunner } from "../src/index.js";
import { calls, says, stops } from "./chunks.js";

type Hostile = () => never;

interface Place {
  readonly options: (hostile: Hostile) => Partial<OpenAICompatibleOptions>;
  /** The outcome of the turn, unless the function hangs. */
  readonly outcome: "completed" | "failed" | "either";
}

const sse = (...chunks: object[]): Response =>
  new Response(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""));

/** An endpoint that calls a tool, and then answers. */
async function endpoint(_url: unknown, init?: RequestInit): Promise<Response> {
  const hasResult = String(init?.body).includes('"role":"tool"');
  return hasResult ? sse(says("Thanks."), stops()) : sse(calls(0, "c", "look", "{}"), stops("tool_calls"));
}

const PLACES: Readonly<Record<string, Place>> = {
  "a tool": { options: (execute) => ({ tools: { look: { execute } } }), outcome: "completed" },
  fetch: { options: (fetch) => ({ fetch }), outcome: "failed" },
  body: { options: (body) => ({ body }), outcome: "either" },
};

refuseUnhandledRejections();

describe.each(Object.entries(PLACES))("%s", (_name, place) => {
  test.each(hostileFunctions())(
    "that $how ends its turn with the stored outcome, and the next turn runs",
    (hostile) => endsTruly(place, hostile),
  );
});

async function endsTruly({ options, outcome }: Place, { call, hangs }: HostileFunction): Promise<void> {
  const store = openMemoryStore();
  const called = new Gate();
  const hostile: Hostile = () => {
    void called.passed;
    return call() as never;
  };
  const good = { baseURL: "https://example.com/v1", model: "m", fetch: endpoint, retries: 0 };
  const agentWith = (more: Partial<OpenAICompatibleOptions>) =>
    createManagedAgent({
      store,
      sessionId: "s",
      config: {},
      runner: openaiCompatibleRunner({ ...good, ...more }),
    });
  const agent = agentWith(options(hostile));
  const settling = Promise.allSettled([agent.execute("?", { turnId: "t1" })]);
  if (hangs && outcome !== "either") {
    await called.reached;
    expect(await agent.interrupt()).toBe(true);
  }
  const [settled] = await settling;
  const session = await store.getSession("s");
  expect(session?.turn).toBeUndefined();
  const ended = session?.lastTurn?.outcome;
  if (outcome !== "either") expect(ended).toBe(hangs ? "interrupted" : outcome);
  expect(settled.status === "fulfilled").toBe(ended === "completed");
  expect((await agentWith({}).execute("And then?")).text).toBe("Thanks.");
}
