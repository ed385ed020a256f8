import { answerTextOf, Gate, memoryPlace, SCRIPT, SCRIPT_TEXT } from "test-tools";
import { expect, test } from "vitest";
import type { AgentEvent } from "../src/index.js";
import { agentWith } from "./agent-with.js";
import { scripted } from "./scripted-runner.js";
import { slowCompletion } from "./slow-completion.js";

test("a consumer that stops reading stops the runner, and the text so far is kept", async () => {
  const gate = new Gate();
  let signal: AbortSignal | undefined;
  const { agent } = await agentWith({
    runner: (turn) => {
      signal = turn.signal;
      return scripted(SCRIPT, { index: 8, act: () => gate.passed })(turn);
    },
  });
  const stream = agent.stream("What is it?", { turnId: "t1" });
  for await (const event of stream) if (event.type === "text-delta" && event.text === "The answer ") break;
  expect(signal?.aborted).toBe(true);
  const session = await agent.retrieveSession("s"); // saved when the loop is left
  expect(session.lastTurn).toMatchObject({ turnId: "t1", outcome: "interrupted" });
  expect(session.messages.at(-1)).toMatchObject({ content: "The answer ", status: "interrupted" });
  await expect(stream.result).rejects.toMatchObject({ code: "TURN_LOST", reason: "interrupted" });
});

test("with onDisconnect set to continue, a turn completes after its consumer has stopped reading", async () => {
  const { agent } = await agentWith({ onDisconnect: "continue" });
  const stream = agent.stream("What is it?");
  for await (const event of stream) if (event.type === "text-delta") break;
  expect(answerTextOf((await stream.result).messages)).toBe(SCRIPT_TEXT);
});

test("the turn runs at the consumer's pace, and to its end if nobody reads the stream", async () => {
  let told = 0;
  const runner = async function* (): AsyncGenerator<AgentEvent> {
    for (; told < 1000; told++) yield { type: "text-delta", text: "x" };
  };
  const { agent } = await agentWith({ runner });
  const stream = agent.stream("Go.");
  const events = stream[Symbol.asyncIterator]();
  await events.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toBeLessThan(100);
  while ((await events.next()).done !== true);
  expect((await stream.result).text).toHaveLength(1000);
  told = 0;
  expect((await agent.stream("Again.").result).text).toHaveLength(1000);
});

test("when the loop over a stream ends, everything is stored", async () => {
  const place = memoryPlace();
  const slow = slowCompletion(await place.open());
  const { agent } = await agentWith({ store: slow });
  for await (const _ of agent.stream("What is it?", { turnId: "t1" }));
  const session = await (await place.open()).getSession("s");
  expect(session?.lastTurn).toMatchObject({ turnId: "t1", outcome: "completed" });
  expect(answerTextOf(session?.messages ?? [])).toBe(SCRIPT_TEXT);
});

test("a consumer may ask for several events at once", async () => {
  const { agent } = await agentWith();
  const events = agent.stream("What is it?")[Symbol.asyncIterator]();
  const asked = await Promise.all(Array.from({ length: SCRIPT.length + 2 }, () => events.next()));
  expect(asked.flatMap(({ value }) => value ?? [])).toEqual(SCRIPT);
  expect(asked.slice(-2).map(({ done }) => done)).toEqual([true, true]);
});

test("a stream throws its error after all events before it", async () => {
  const { agent } = await agentWith({
    runner: scripted(SCRIPT, {
      index: 2,
      act: async () => {
        throw new Error("the model is down");
      },
    }),
  });
  const stream = agent.stream("What is it?");
  const seen: AgentEvent[] = [];
  const listening = (async () => {
    for await (const event of stream) seen.push(event);
  })();
  await expect(listening).rejects.toThrow("the model is down");
  expect(seen).toEqual(SCRIPT.slice(0, 2));
  await expect(stream.result).rejects.toThrow("the model is down");
});
