import { Gate } from "test-tools";
import { describe, expect, test } from "vitest";
import { openaiCompatibleRunner } from "../src/index.js";
import { answer, endpointError, turnOf } from "./answering.js";
import { says, stops } from "./chunks.js";
import { ScriptedServer, streamed } from "./scripted-server.js";
import { TestTimers } from "./test-timers.js";

const isTimeout = (ms: number): boolean => ms === 5000;

describe("a silent endpoint", () => {
  test("an endpoint that does not answer is TIMEOUT, and its connection is closed", async () => {
    const arrived = new Gate();
    const closed = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      arrived.open();
      await exchange.closed.then(() => closed.open());
    });
    const clock = new TestTimers();
    const result = answer({ baseURL: server.baseURL, timeoutMs: 5000, clock, retries: 0 });
    await arrived.passed;
    (await clock.timer(isTimeout)).fire();
    expect(endpointError(await result)).toMatchObject({ code: "TIMEOUT", retryable: true });
    await closed.passed;
  });

  test("a silent endpoint is TIMEOUT with the real clock", async () => {
    await using server = await ScriptedServer.start(() => undefined);
    const result = await answer({ baseURL: server.baseURL, timeoutMs: 20, retries: 0 });
    expect(endpointError(result).message).toContain("was silent for 20 ms");
  });

  test("a request without any answer is retried after its connection is closed", async () => {
    const arrived = new Gate();
    const closed = new Gate();
    await using server = await ScriptedServer.start(
      (exchange) => {
        arrived.open();
        return exchange.closed.then(() => closed.open());
      },
      async (exchange) => {
        await closed.passed;
        await streamed(says("Hello."), stops())(exchange);
      },
    );
    const clock = new TestTimers();
    const result = answer({ baseURL: server.baseURL, timeoutMs: 5000, clock, random: () => 0 });
    await arrived.passed;
    (await clock.timer(isTimeout)).fire();
    (await clock.timer((ms) => ms === 500)).fire();
    expect((await result).text).toBe("Hello.");
  });

  test("silence in the middle of an answer is TIMEOUT, and earlier events stay", async () => {
    const closed = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("Once "));
      await exchange.closed.then(() => closed.open());
    });
    const clock = new TestTimers();
    const events = openaiCompatibleRunner({ baseURL: server.baseURL, timeoutMs: 5000, clock })(turnOf());
    const turn = events[Symbol.asyncIterator]();
    expect(await turn.next()).toMatchObject({ value: { type: "text-delta", text: "Once " } });
    const next = turn.next();
    (await clock.timer(isTimeout)).fire();
    await expect(next).rejects.toMatchObject({ code: "TIMEOUT" });
    await closed.passed;
    expect(clock.pending).toBe(0);
  });

  test("silence after the finish reason ends the answer without an error", async () => {
    await using server = await ScriptedServer.start((exchange) =>
      exchange.send({ choices: [{ delta: { content: "Hello." }, finish_reason: "stop" }] }),
    );
    const clock = new TestTimers();
    const events = openaiCompatibleRunner({ baseURL: server.baseURL, timeoutMs: 5000, clock })(turnOf());
    const turn = events[Symbol.asyncIterator]();
    expect(await turn.next()).toMatchObject({ value: { type: "text-delta", text: "Hello." } });
    const next = turn.next();
    (await clock.timer(isTimeout)).fire();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test("comments after the finish reason do not prolong the answer", async () => {
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send({ choices: [{ delta: { content: "Hello." }, finish_reason: "stop" }] });
      let isClosed = false;
      exchange.closed.then(() => {
        isClosed = true;
      });
      while (!isClosed) {
        await exchange.write(": still here\n\n");
        await new Promise<void>((resolve) => setTimeout(resolve, 5));
      }
    });
    const { text, error } = await answer({ baseURL: server.baseURL, timeoutMs: 1000 });
    expect([text, error]).toEqual(["Hello.", undefined]);
  });

  test("an endpoint that sends comments is not silent", async () => {
    const go = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.write(": still thinking\n\n");
      await go.passed;
      await streamed(says("Hello."), stops())(exchange);
    });
    const clock = new TestTimers();
    const result = answer({ baseURL: server.baseURL, timeoutMs: 5000, clock });
    // The timeout starts again with the head, with the comment, and with what follows.
    await clock.wasSet(3, isTimeout);
    go.open();
    expect((await result).text).toBe("Hello.");
  });

  test("the time that the consumer takes does not count as silence", async () => {
    await using server = await ScriptedServer.start(streamed(says("One."), says("Two."), stops()));
    const clock = new TestTimers();
    const events = openaiCompatibleRunner({ baseURL: server.baseURL, timeoutMs: 5000, clock })(turnOf());
    for await (const event of events) {
      expect(event.type).toBe("text-delta");
      // No timer is pending while the consumer is busy.
      expect(clock.pending).toBe(0);
    }
  });
});
