import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Connection, type FaultProxy, type RedisServer, startFaultProxy, startServer } from "../src/index.js";

let server: RedisServer;
let proxy: FaultProxy;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

beforeEach(async () => {
  await server.call("DEL", "n");
  proxy = await startFaultProxy(server.port);
  return () => proxy.stop();
});

const isIncr = ({ command }: { readonly command: readonly string[] }): boolean => command[0] === "INCR";

describe("the fault proxy", () => {
  test("passes on what it is not told to break, in order", async () => {
    using connection = await Connection.open(proxy);
    const replies = await Promise.all(Array.from({ length: 50 }, () => connection.call("INCR", "n")));
    expect(replies).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    const large = "x".repeat(3_000_000);
    await connection.call("SET", "large", large);
    expect(await connection.call("GET", "large")).toBe(large);
  });

  test("cuts a request: the server has not seen it", async () => {
    const fault = proxy.plan({ on: "request", act: "cut", when: isIncr });
    using connection = await Connection.open(proxy);
    await connection.call("PING");
    await expect(connection.call("INCR", "n")).rejects.toThrow();
    await fault.struck;
    expect(await server.call("GET", "n")).toBeNull();
  });

  test("cuts a reply: the server has done it", async () => {
    proxy.plan({ on: "reply", act: "cut", when: isIncr });
    using connection = await Connection.open(proxy);
    await expect(connection.call("INCR", "n")).rejects.toThrow();
    expect(await server.call("GET", "n")).toBe("1");
  });

  test.each(["request", "reply"] as const)("tears a %s in the middle", async (on) => {
    proxy.plan({ on, act: "tear", when: ({ command }) => command[0] === "SET" });
    using connection = await Connection.open(proxy);
    await server.call("DEL", "torn");
    await expect(connection.call("SET", "torn", "value")).rejects.toThrow();
    expect(await server.call("GET", "torn")).toBe(on === "reply" ? "value" : null);
  });

  test("stalls a reply and all after it until the fault is lifted", async () => {
    const fault = proxy.plan({ on: "reply", act: "stall", when: isIncr });
    using connection = await Connection.open(proxy);
    const order: string[] = [];
    const first = connection.call("INCR", "n").then(() => order.push("first"));
    const second = connection.call("PING").then(() => order.push("second"));
    await fault.struck;
    await expect.poll(() => server.call("GET", "n")).toBe("1");
    expect(order).toEqual([]);
    fault.lift();
    await Promise.all([first, second]);
    expect(order).toEqual(["first", "second"]);
  });

  test("delays", async () => {
    proxy.plan({ on: "reply", act: { delayMs: 60 }, when: isIncr });
    using connection = await Connection.open(proxy);
    const from = performance.now();
    await connection.call("INCR", "n");
    expect(performance.now() - from).toBeGreaterThan(50);
  });

  test("strikes by count: the third and the fourth", async () => {
    const fault = proxy.plan({ on: "reply", act: "cut", when: isIncr, after: 2, times: 2 });
    const failed: number[] = [];
    for (let index = 1; index <= 6; index++) {
      using connection = await Connection.open(proxy);
      await connection.call("INCR", "n").catch(() => failed.push(index));
    }
    expect(failed).toEqual([3, 4]);
    expect(fault.strikes).toBe(2);
    expect(await server.call("GET", "n")).toBe("6");
  });

  test("knows replies from messages to a subscriber", async () => {
    const fault = proxy.plan({ on: "reply", act: "cut", when: isIncr });
    using subscriber = await Connection.open(proxy);
    await subscriber.call("SUBSCRIBE", "news");
    await server.call("PUBLISH", "news", "1");
    using connection = await Connection.open(proxy);
    await connection.call("PING");
    expect(fault.strikes).toBe(0);
  });

  test("cuts everything at once, and refuses what comes after until it is calm", async () => {
    using connection = await Connection.open(proxy);
    await connection.call("PING");
    proxy.refuse();
    proxy.cutAll();
    await expect.poll(() => connection.open).toBe(false);
    await expect(Connection.open(proxy).then((refused) => refused.call("PING"))).rejects.toThrow();
    proxy.calm();
    using again = await Connection.open(proxy);
    expect(await again.call("PING")).toBe("PONG");
  });
});
