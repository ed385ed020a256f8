import { expect, test } from "vitest";
import type { AgentEvent, Warning } from "../src/index.js";
import { agentWith } from "./agent-with.js";

const WORDS: AgentEvent = { type: "text-delta", text: "Well." };

test("an error of onEvent is passed to onWarning", async () => {
  const warnings: Warning[] = [];
  let isDown = true;
  const { agent } = await agentWith({
    onWarning: (warning) => warnings.push(warning),
    runner: async function* () {
      yield WORDS;
      if (isDown) throw new Error("the model is down");
    },
  });
  await expect(agent.execute("?", { turnId: "t1" })).rejects.toThrow("the model is down");
  isDown = false;
  const thrown = new Error("the page is gone");
  const onEvent = (): never => {
    throw thrown;
  };
  const recovery = await agent.recover({ strategy: "retry", onEvent });
  expect(recovery?.result?.text).toBe("Well.");
  await expect.poll(() => warnings).toMatchObject([{ sessionId: "s", turnId: "t1", error: thrown }]);
});

test("an error of a runner while it is stopped is passed to onWarning", async () => {
  const warnings: Warning[] = [];
  const thrown = new Error("no goodbye");
  const { agent } = await agentWith({
    onWarning: (warning) => warnings.push(warning),
    runner: async function* () {
      try {
        for (;;) yield WORDS;
      } finally {
        await Promise.reject(thrown);
      }
    },
  });
  const stream = agent.stream("?", { turnId: "t1" });
  for await (const _ of stream) break;
  await expect(stream.result).rejects.toMatchObject({ code: "TURN_LOST", reason: "interrupted" });
  await expect.poll(() => warnings).toMatchObject([{ sessionId: "s", turnId: "t1", error: thrown }]);
  expect((await agent.retrieveSession("s")).lastTurn).toMatchObject({ outcome: "interrupted" });
});
