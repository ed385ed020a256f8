import { Gate } from "test-tools";
import { describe, expect, test } from "vitest";
import { retryAfterOf, retryDelay } from "../src/endpoint/retry-delay.js";
import { EndpointError, openaiCompatibleRunner } from "../src/index.js";
import { answer, endpointError, listen, turnOf } from "./answering.js";
import { says, stops, uses } from "./chunks.js";
import { ManualClock } from "./manual-clock.js";
import { type Reply, refused, ScriptedServer, streamed } from "./scripted-server.js";

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

/** A wait between two attempts: longer than the runner lingers after an answer, shorter than its patience. */
const isDelay = (ms: number): boolean => ms > 100 && ms < 300_000;

describe("a request that failed before anything was told", () => {
  test("is counted by its last attempt", async () => {
    const clock = new ManualClock();
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
    ["a stream that is cut before its first word", cutAfterHead],
    ["an error as its first word", errorFirst],
  ])("is sent again after %s", async (_, failure) => {
    const clock = new ManualClock();
    await using server = await ScriptedServer.start(failure, hello);
    const result = answer({ baseURL: server.baseURL, clock, random: () => 0.5 });
    const delay = await clock.timer(isDelay);
    expect(delay.ms).toBe(562.5);
    delay.fire();
    expect(await result).toMatchObject({ text: "Hello.", error: undefined });
    expect(server.bodies[1]).toEqual(server.bodies[0]);
  });

  test("waits as long as it is asked to", async () => {
    const clock = new ManualClock();
    await using server = await ScriptedServer.start(limited({ "retry-after": "7" }), hello);
    const result = answer({ baseURL: server.baseURL, clock, random: () => 0 });
    const delay = await clock.timer(isDelay);
    expect(delay.ms).toBe(7000);
    expect(server.received).toHaveLength(1);
    delay.fire();
    expect((await result).text).toBe("Hello.");
  });

  test("is sent so many times and no more; each wait is longer", async () => {
    const clock = new ManualClock();
    await using server = await ScriptedServer.start(down, down, down, hello);
    const result = answer({ baseURL: server.baseURL, clock, random: () => 0, retries: 2 });
    for (const ms of [500, 1000]) (await clock.timer((set) => set === ms)).fire();
    expect(endpointError(await result)).toMatchObject({ code: "SERVER_ERROR", status: 500 });
    expect({ sent: server.received.length, left: server.left }).toEqual({ sent: 3, left: 1 });
    expect(clock.pending).toBe(0);
  });

  test("works with the real clock", async () => {
    await using server = await ScriptedServer.start(limited({ "retry-after-ms": "20" }), hello);
    expect((await answer({ baseURL: server.baseURL })).text).toBe("Hello.");
  });

  test.each<[string, Reply, string]>([
    ["the key is wrong", refused(401, {}), "UNAUTHORIZED"],
    ["the request is refused", refused(400, {}), "REQUEST_REFUSED"],
    ["the account is empty", refused(429, { error: { code: "insufficient_quota" } }), "QUOTA_EXCEEDED"],
    ["it is asked to wait for long", limited({ "retry-after": "61" }), "RATE_LIMITED"],
  ])("is not sent again where %s", async (_, reply, code) => {
    await using server = await ScriptedServer.start(reply, hello);
    expect(endpointError(await answer({ baseURL: server.baseURL })).code).toBe(code);
    expect(server.received).toHaveLength(1);
  });

  test("tells how long it was asked to wait", async () => {
    await using server = await ScriptedServer.start(limited({ "retry-after": "61" }));
    const error = endpointError(await answer({ baseURL: server.baseURL }));
    expect(error.retryAfterMs).toBe(61_000);
    expect(error.message).toContain("Try again in 61 s");
  });

  test("is given up by an abort, without waiting", async () => {
    const clock = new ManualClock();
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

describe("an answer that is half told", () => {
  test.each<[string, string, Reply]>([
    ["the connection is cut", "CUT_OFF", (exchange) => exchange.cut()],
    ["the connection is reset", "CUT_OFF", (exchange) => exchange.reset()],
    ["the body ends", "CUT_OFF", (exchange) => exchange.end()],
    ["an error is told", "SERVER_ERROR", (exchange) => exchange.send({ error: { message: "Overloaded." } })],
  ])("is not asked for again where %s: that is %s", async (_, code, end) => {
    const heard = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("Once "));
      // Not before the word was heard: what was not heard may be asked for again.
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

describe("the wait before a retry", () => {
  const limitedFor = (retryAfterMs?: number): EndpointError =>
    new EndpointError("RATE_LIMITED", "Slow.", retryAfterMs === undefined ? {} : { retryAfterMs });

  test("doubles up to 8 s, and is spread by a quarter", () => {
    const waits = [1, 2, 3, 4, 5, 6, 60].map((failures) => retryDelay(limitedFor(), failures, () => 0));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(retryDelay(limitedFor(), 1, () => 1)).toBe(625);
  });

  test("is as long as asked for up to a minute, or up to a quarter longer, and never shorter", () => {
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
  ])("of %j is %s", (headers, ms) => {
    expect(retryAfterOf(new Headers(headers), new ManualClock())).toBe(ms);
  });

  test("until a date that is past is none", () => {
    const clock = {
      ...new ManualClock(),
      now: () => 10_000,
      monotonic: () => 0,
      after: () => () => undefined,
    };
    expect(retryAfterOf(new Headers({ "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" }), clock)).toBe(0);
  });
});
