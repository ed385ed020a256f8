import { Gate } from "test-tools";
import { describe, expect, test } from "vitest";
import { retryAfterOf, retryDelay } from "../src/endpoint/retry-delay.js";
import { EndpointError, openaiCompatibleRunner } from "../src/index.js";
import { answer, endpointError, listen, turnOf } from "./answering.js";
import { says, stops, uses } from "./chunks.js";
import { type Reply, refused, ScriptedServer, streamed } from "./scripted-server.js";
import { TestTimers } from "./test-timers.js";

const hello = streamed(says("Hello."), stops());
const down = refused(500, { error: { message: "Down." } });
const limited = (headers: Record<string, string>): Reply =>
  refused(429, { error: { message: "Slow." } }, headers);
const cutAtOnce: Reply = (exchange) => exchange.cut();
const resetAtOnce: Reply = (exchange) => exchange.reset();
const cutAfterHead: Reply = async (exchange) => {
  await exchange.write(": hello\n\n");
  exchange.cut();
};
const errorFirst: Reply = async (exchange) => {
  await exchange.send({ error: { message: "Overloaded." } });
  exchange.end();
};

/** A delay before a retry: longer than the wait for `[DONE]`, shorter than the timeout. */
const isDelay = (ms: number): boolean => ms > 100 && ms < 300_000;

describe("a request that fails before its first event", () => {
  test("a request that is retried has the usage of its last attempt", async () => {
    const clock = new TestTimers();
    const used = (prompt_tokens: number): object => uses({ prompt_tokens, completion_tokens: 1 });
    const half: Reply = async (exchange) => {
      await exchange.send(used(100));
      exchange.cut();
    };
    await using server = await ScriptedServer.start(half, streamed(says("Hello."), used(7), stops()));
    const result = answer({ baseURL: server.baseURL, clock, random: () => 0 });
    (await clock.timer(isDelay)).fire();
    const { events } = await result;
    expect(events.filter(({ type }) => type === "usage")).toEqual([
      { type: "usage", usage: { inputTokens: 7, outputTokens: 1 } },
    ]);
  });

  test.each<[string, Reply]>([
    ["500", down],
    ["a connection that is cut at once", cutAtOnce],
    ["a connection that is reset at once", resetAtOnce],
    ["a stream that is cut before its first event", cutAfterHead],
    ["an error as its first event", errorFirst],
  ])("a request is retried after %s", async (_, failure) => {
    const clock = new TestTimers();
    await using server = await ScriptedServer.start(failure, hello);
    const result = answer({ baseURL: server.baseURL, clock, random: () => 0.5 });
    const delay = await clock.timer(isDelay);
    expect(delay.ms).toBe(562.5);
    delay.fire();
    expect(await result).toMatchObject({ text: "Hello.", error: undefined });
    expect(server.bodies[1]).toEqual(server.bodies[0]);
  });

  test("a retry waits as long as the endpoint asks", async () => {
    const clock = new TestTimers();
    await using server = await ScriptedServer.start(limited({ "retry-after": "7" }), hello);
    const result = answer({ baseURL: server.baseURL, clock, random: () => 0 });
    const delay = await clock.timer(isDelay);
    expect(delay.ms).toBe(7000);
    expect(server.received).toHaveLength(1);
    delay.fire();
    expect((await result).text).toBe("Hello.");
  });

  test("a request is retried `retries` times, and each delay is longer", async () => {
    const clock = new TestTimers();
    await using server = await ScriptedServer.start(down, down, down, hello);
    const result = answer({ baseURL: server.baseURL, clock, random: () => 0, retries: 2 });
    for (const ms of [500, 1000]) (await clock.timer((set) => set === ms)).fire();
    expect(endpointError(await result)).toMatchObject({ code: "SERVER_ERROR", status: 500 });
    expect({ sent: server.received.length, left: server.left }).toEqual({ sent: 3, left: 1 });
    expect(clock.pending).toBe(0);
  });

  test("a retry works with the real clock", async () => {
    await using server = await ScriptedServer.start(limited({ "retry-after-ms": "20" }), hello);
    expect((await answer({ baseURL: server.baseURL })).text).toBe("Hello.");
  });

  test.each<[string, Reply, string]>([
    ["the key is wrong", refused(401, {}), "UNAUTHORIZED"],
    ["the request is refused", refused(400, {}), "REQUEST_REFUSED"],
    ["the account has no credit", refused(429, { error: { code: "insufficient_quota" } }), "QUOTA_EXCEEDED"],
    ["the endpoint asks for more than a minute", limited({ "retry-after": "61" }), "RATE_LIMITED"],
  ])("a request is not retried if %s", async (_, reply, code) => {
    await using server = await ScriptedServer.start(reply, hello);
    expect(endpointError(await answer({ baseURL: server.baseURL })).code).toBe(code);
    expect(server.received).toHaveLength(1);
  });

  test("the error of a limited request has the delay that the endpoint asks for", async () => {
    await using server = await ScriptedServer.start(limited({ "retry-after": "61" }));
    const error = endpointError(await answer({ baseURL: server.baseURL }));
    expect(error.retryAfterMs).toBe(61_000);
    expect(error.message).toContain("Try again in 61 s");
  });

  test("an abort ends the delay before a retry at once", async () => {
    const clock = new TestTimers();
    const abort = new AbortController();
    await using server = await ScriptedServer.start(down, hello);
    const result = answer({ baseURL: server.baseURL, clock }, { signal: abort.signal });
    await clock.timer(isDelay);
    const reason = new Error("stop");
    abort.abort(reason);
    expect((await result).error).toBe(reason);
    expect({ sent: server.received.length, pending: clock.pending }).toEqual({ sent: 1, pending: 0 });
  });
});

describe("an answer that fails after its first event", () => {
  test.each<[string, string, Reply]>([
    ["the connection is cut", "CUT_OFF", (exchange) => exchange.cut()],
    ["the connection is reset", "CUT_OFF", (exchange) => exchange.reset()],
    ["the body ends", "CUT_OFF", (exchange) => exchange.end()],
    [
      "an error event comes",
      "SERVER_ERROR",
      (exchange) => exchange.send({ error: { message: "Overloaded." } }),
    ],
  ])("a partial answer is not retried if %s: the error is %s", async (_, code, end) => {
    const heard = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("Once "));
      // After the first event was received: before it, the request may be retried.
      await heard.passed;
      await end(exchange);
    }, hello);
    const result = await listen(openaiCompatibleRunner({ baseURL: server.baseURL })(turnOf()), () =>
      heard.open(),
    );
    expect(result.text).toBe("Once ");
    expect(endpointError(result)).toMatchObject({ code, retryable: true });
    expect(server.received).toHaveLength(1);
  });
});

describe("the delay before a retry", () => {
  const limitedFor = (retryAfterMs?: number): EndpointError =>
    new EndpointError("RATE_LIMITED", "Slow.", retryAfterMs === undefined ? {} : { retryAfterMs });

  test("the delay before a retry doubles up to 8 s, plus up to a quarter at random", () => {
    const waits = [1, 2, 3, 4, 5, 6, 60].map((failures) => retryDelay(limitedFor(), failures, () => 0));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(retryDelay(limitedFor(), 1, () => 1)).toBe(625);
  });

  test("the delay that an endpoint asks for is kept up to a minute, plus up to a quarter at random", () => {
    expect(retryDelay(limitedFor(3000), 1, () => 0)).toBe(3000);
    expect(retryDelay(limitedFor(0), 5, () => 0)).toBe(0);
    expect(retryDelay(limitedFor(3000), 1, () => 1)).toBe(3750);
    expect(retryDelay(limitedFor(60_000), 1, () => 0)).toBe(60_000);
    expect(retryDelay(limitedFor(60_001), 1, () => 0)).toBeUndefined();
  });

  test.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "120", "retry-after": "1" }, 120],
    [{ "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" }, 9000],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ])("the headers %j ask for a delay of %s ms", (headers, ms) => {
    expect(retryAfterOf(new Headers(headers), new TestTimers())).toBe(ms);
  });

  test("a retry-after date in the past asks for no delay", () => {
    const clock = {
      ...new TestTimers(),
      now: () => 10_000,
      monotonic: () => 0,
      after: () => () => undefined,
    };
    expect(retryAfterOf(new Headers({ "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" }), clock)).toBe(0);
  });
});
