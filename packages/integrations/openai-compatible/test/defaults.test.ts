import { Gate } from "test-tools";
import { expect, test } from "vitest";
import { openaiCompatibleRunner, type Tool } from "../src/index.js";
import { answer, endpointError, turnOf } from "./answering.js";
import { calls, says, stops } from "./chunks.js";
import { type Reply, refused, ScriptedServer, streamed } from "./scripted-server.js";
import { TestTimers } from "./test-timers.js";

const hello = streamed(says("Hello."), stops());
const down = refused(500, { error: { message: "Down." } });

test("without the option maxSteps a turn asks the model 8 times", async () => {
  let ran = 0;
  const again: Tool = { execute: () => ++ran };
  const steps = Array.from({ length: 9 }, (_, index) =>
    streamed(calls(0, `call_${index}`, "again"), stops("tool_calls")),
  );
  await using server = await ScriptedServer.start(...steps);
  const told = await answer({ baseURL: server.baseURL, tools: { again } });
  expect(endpointError(told).code).toBe("STEP_LIMIT");
  expect({ asked: server.received.length, ran }).toEqual({ asked: 8, ran: 7 });
});

test("without the option timeoutMs a silence of 300 000 ms is TIMEOUT, before an answer and in it", async () => {
  const arrived = new Gate();
  const silent: Reply = async () => arrived.open();
  const clock = new TestTimers();
  const isTimeout = (ms: number): boolean => ms === 300_000;
  await using server = await ScriptedServer.start(silent, (exchange) => exchange.send(says("Once ")));
  const { baseURL } = server;
  const result = answer({ baseURL, clock, retries: 0 });
  await arrived.passed;
  (await clock.timer(isTimeout)).fire();
  expect(endpointError(await result).code).toBe("TIMEOUT");

  const events = openaiCompatibleRunner({ baseURL, clock, retries: 0 })(turnOf())[Symbol.asyncIterator]();
  expect(await events.next()).toMatchObject({ value: { text: "Once " } });
  const next = events.next();
  (await clock.timer(isTimeout)).fire();
  await expect(next).rejects.toMatchObject({ code: "TIMEOUT" });
});

test("without the option retries a request that failed is sent two more times", async () => {
  const clock = new TestTimers();
  await using server = await ScriptedServer.start(down, down, down, hello);
  const result = answer({ baseURL: server.baseURL, clock, random: () => 0 });
  for (const ms of [500, 1000]) (await clock.timer((set) => set === ms)).fire();
  expect(endpointError(await result).code).toBe("SERVER_ERROR");
  expect({ sent: server.received.length, left: server.left }).toEqual({ sent: 3, left: 1 });
});

test("without the option random, the delay before a retry varies at random by up to a quarter", async () => {
  const waits = new Set<number>();
  for (let turn = 0; turn < 3; turn++) {
    const clock = new TestTimers();
    await using server = await ScriptedServer.start(down, hello);
    const result = answer({ baseURL: server.baseURL, clock });
    const wait = await clock.timer((ms) => ms >= 500 && ms < 625);
    waits.add(wait.ms);
    wait.fire();
    expect((await result).text).toBe("Hello.");
  }
  expect(waits.size).toBe(3);
});

test("without the option apiKey no bearer token is sent", async () => {
  await using server = await ScriptedServer.start(hello);
  await answer({ baseURL: server.baseURL });
  expect(server.received[0]?.headers).not.toHaveProperty("authorization");
});

test("after the finish reason the runner waits at most 5 s for the end, however large timeoutMs is", async () => {
  await using server = await ScriptedServer.start((exchange) =>
    exchange.send({ choices: [{ delta: { content: "Hello." }, finish_reason: "stop" }] }),
  );
  const clock = new TestTimers();
  const result = answer({ baseURL: server.baseURL, clock });
  (await clock.timer((ms) => ms === 5000)).fire();
  expect(await result).toMatchObject({ text: "Hello.", error: undefined });
});

test("each request of a turn has the key, the headers and the fields of body, and so does a retry", async () => {
  const clock = new TestTimers();
  await using server = await ScriptedServer.start(
    streamed(calls(0, "call_a", "look"), stops("tool_calls")),
    down,
    hello,
  );
  const result = answer({
    baseURL: server.baseURL,
    apiKey: "sk-1234567890",
    headers: { "x-title": "Tests" },
    body: { temperature: 0.2 },
    tools: { look: { execute: () => "seen" } },
    clock,
    random: () => 0,
  });
  (await clock.timer((ms) => ms === 500)).fire();
  expect((await result).text).toBe("Hello.");
  const each = {
    headers: { authorization: "Bearer sk-1234567890", "x-title": "Tests" },
    body: { temperature: 0.2 },
  };
  expect(server.received).toMatchObject([each, each, each]);
});
