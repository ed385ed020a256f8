import { openMemoryStore } from "@sessions/memory";
import { systemClock } from "@sessions/protocol";
import { answerTextOf, historyProblems } from "test-tools";
import { expect, test } from "vitest";
import { type AgentEvent, TurnRunner, type Warning } from "../src/index.js";

async function* words(): AsyncGenerator<AgentEvent> {
  yield { type: "text-delta", text: "These words " };
}

test("a turn ends as failed with its answer, even if the operations for its end cannot be computed", async () => {
  const store = openMemoryStore();
  const begun = await store.beginTurn("s", { turnId: "t1" });
  if (begun.status !== "begun") throw new Error("the turn did not begin");
  const thrown = new Error("no end operations");
  const warnings: Warning[] = [];
  const runner = new TurnRunner({
    store,
    turn: begun.turn,
    checkpoint: { everyMs: 2000, everyChars: 16_384 },
    ttlMs: 30_000,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    warn: (warning) => warnings.push(warning),
    answer: async () => words(),
    endOperations: () => {
      throw thrown;
    },
  });
  await expect(runner.run(() => undefined)).rejects.toBe(thrown);
  const { turn, lastTurn, messages = [] } = (await store.getSession("s")) ?? {};
  expect([turn, lastTurn?.outcome]).toEqual([undefined, "failed"]);
  expect(answerTextOf(messages)).toBe("These words ");
  expect(historyProblems(messages)).toEqual([]);
  expect(warnings).toMatchObject([{ turnId: "t1", error: thrown }]);
});
