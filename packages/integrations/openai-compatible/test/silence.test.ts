import { Gate } from "test-tools";
import { describe, expect, test } from "vitest";
import { openaiCompatibleRunner } from "../src/index.js";
import { answer, endpointError, turnOf } from "./answering.js";
import { says, stops } from "./chunks.js";
import { ManualClock } from "./manual-clock.js";
import { ScriptedServer, streamed } from "./scripted-server.js";

const isPatience = (ms: number): boolean => ms === 5000;

describe("a silent endpoint", () => {
  test("that does not answer at all is TIMEOUT, and its connection is closed", async () => {
    const arrived = new Gate();
    const closed = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      arrived.open();
      await exchange.closed.then(() => closed.open());
    });
    const clock = new ManualClock();
    const result = answer({ baseURL: server.baseURL, timeoutMs: 5000, clock, retries: 0 });
    await arrived.passed;
    (await clock.timer(isPatience)).fire();
    expect(endpointError(await result)).toMatchObject({ code: "TIMEOUT", retryable: true });
    await closed.passed;
  });

  test("is noticed by the real clock too", async () => {
    await using server = await ScriptedServer.start(() => undefined);
    const result = await answer({ baseURL: server.baseURL, timeoutMs: 20, retries: 0 });
    expect(endpointError(result).message).toContain("was silent for 20 ms");
  });

  test("is asked again if it has said nothing, once its connection is closed", async () => {
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
    const clock = new ManualClock();
    const result = answer({ baseURL: server.baseURL, timeoutMs: 5000, clock, random: () => 0 });
    await arrived.passed;
    (await clock.timer(isPatience)).fire();
    (await clock.timer((ms) => ms === 500)).fire();
    expect((await result).text).toBe("Hello.");
  });

  test("in the middle of an answer is TIMEOUT, and what was told stays told", async () => {
    const closed = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("Once "));
      await exchange.closed.then(() => closed.open());
    });
    const clock = new ManualClock();
    const events = openaiCompatibleRunner({ baseURL: server.baseURL, timeoutMs: 5000, clock })(turnOf());
    const turn = events[Symbol.asyncIterator]();
    expect(await turn.next()).toMatchObject({ value: { type: "text-delta", text: "Once " } });
    const next = turn.next();
    (await clock.timer(isPatience)).fire();
    await expect(next).rejects.toMatchObject({ code: "TIMEOUT" });
    await closed.passed;
    expect(clock.pending).toBe(0);
  });

  test("that has given its finish reason has answered", async () => {
    await using server = await ScriptedServer.start((exchange) =>
      exchange.send({ choices: [{ delta: { content: "Hello." }, finish_reason: "stop" }] }),
    );
    const clock = new ManualClock();
    const events = openaiCompatibleRunner({ baseURL: server.baseURL, timeoutMs: 5000, clock })(turnOf());
    const turn = events[Symbol.asyncIterator]();
    expect(await turn.next()).toMatchObject({ value: { type: "text-delta", text: "Hello." } });
    const next = turn.next();
    (await clock.timer(isPatience)).fire();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test("that goes on sending comments after its finish reason has answered", async () => {
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

  test("is not one that sends comments", async () => {
    const go = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.write(": still thinking\n\n");
      await go.passed;
      await streamed(says("Hello."), stops())(exchange);
    });
    const clock = new ManualClock();
    const result = answer({ baseURL: server.baseURL, timeoutMs: 5000, clock });
    // Patience begins anew with each piece: for the head, for the comment, for what follows.
    await clock.wasSet(3, isPatience);
    go.open();
    expect((await result).text).toBe("Hello.");
  });

  test("is not one whose listener takes its time", async () => {
    await using server = await ScriptedServer.start(streamed(says("One."), says("Two."), stops()));
    const clock = new ManualClock();
    const events = openaiCompatibleRunner({ baseURL: server.baseURL, timeoutMs: 5000, clock })(turnOf());
    for await (const event of events) {
      expect(event.type).toBe("text-delta");
      // While the listener is busy nobody waits, so no timer runs.
      expect(clock.pending).toBe(0);
    }
  });
});
