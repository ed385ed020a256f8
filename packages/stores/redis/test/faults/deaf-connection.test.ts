import { SessionError } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { Redis } from "ioredis";
import { startFaultProxy, startServer } from "redis-servers";
import { expect, test } from "vitest";

test("a connection on which nothing comes back any more is left for a new one", async () => {
  await using server = await startServer();
  await using proxy = await startFaultProxy(server.port);
  await using store = await openRedisStore({ url: proxy.url }, { deadlineMs: 500 });
  await store.addMessage("chat", { role: "user", content: "first" });
  const alone = new Redis(proxy.url);
  await alone.ping();
  // All that are open now go deaf for ever: a firewall forgot them, the machine behind them is gone.
  const { accepted } = proxy;
  const deaf = proxy.plan({
    on: "reply",
    act: "stall",
    when: ({ connection }) => connection <= accepted,
    times: Number.POSITIVE_INFINITY,
  });
  const call = (): Promise<unknown> =>
    store.addMessage("chat", { role: "user", content: "second" }, { commitId: "c" });
  // The check can fail: the driver alone waits for ever.
  let isHeard = false;
  void alone.ping().then(
    () => (isHeard = true),
    () => undefined,
  );
  const error = await call().catch((reason: unknown) => reason);
  if (error !== undefined && SessionError.is(error)) expect(error.code).toBe("OUTCOME_UNKNOWN");
  await deaf.struck;
  await call();
  expect((await store.getChatHistory("chat")).map(({ content }) => content)).toEqual(["first", "second"]);
  expect(isHeard).toBe(false);
  alone.disconnect();
});

test("a watcher whose connection has gone deaf hears of changes all the same, later", async () => {
  await using server = await startServer();
  await using proxy = await startFaultProxy(server.port);
  await using watching = await openRedisStore({ url: proxy.url });
  await using writing = await openRedisStore({ url: server.url });
  await writing.addMessage("chat", { role: "user", content: "first" });
  const stop = new AbortController();
  const changes = watching.watch({ session: "chat", signal: stop.signal })[Symbol.asyncIterator]();
  const first = changes.next();
  const alone = new Redis(proxy.url).on("error", () => undefined);
  const heard: string[] = [];
  alone.on("message", (_channel, message) => heard.push(message));
  await alone.subscribe("sessions:changes");
  await expect
    .poll(() => server.call("PUBSUB", "NUMSUB", "sessions:changes"))
    .toEqual(["sessions:changes", 2]);
  await writing.addMessage("chat", { role: "user", content: "second" });
  expect((await first).value).toMatchObject({ sessionId: "chat" });
  await expect.poll(() => heard).toHaveLength(1);
  // What is published reaches nobody any more; answers to commands still come.
  const deaf = proxy.plan({
    on: "reply",
    act: "stall",
    when: ({ command }) => command.length === 0,
    times: Number.POSITIVE_INFINITY,
  });
  await writing.addMessage("chat", { role: "user", content: "third" });
  await deaf.struck;
  for (let revision = 0; revision < 3; ) revision = (await changes.next()).value?.revision ?? Number.NaN;
  // The check can fail: who only listens has heard nothing.
  expect(heard).toHaveLength(1);
  stop.abort();
  await changes.return?.();
  alone.disconnect();
});

test("a watcher whose connection is lost again while it subscribes anew subscribes again, and nothing is left unhandled", async () => {
  await using server = await startServer();
  await using proxy = await startFaultProxy(server.port);
  await using watching = await openRedisStore({ url: proxy.url });
  await using writing = await openRedisStore({ url: server.url });
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const stop = new AbortController();
  const changes = watching.watch({ session: "chat", signal: stop.signal })[Symbol.asyncIterator]();
  const first = changes.next();
  const subscribers = (): Promise<unknown> => server.call("PUBSUB", "NUMSUB", "sessions:changes");
  await expect.poll(subscribers).toEqual(["sessions:changes", 1]);
  const cuts = proxy.plan({
    on: "request",
    act: "cut",
    when: ({ command }) => command[0] === "subscribe",
    times: 3,
  });
  await server.call("CLIENT", "KILL", "TYPE", "pubsub");
  await expect.poll(() => cuts.strikes).toBe(3);
  await expect.poll(subscribers).toEqual(["sessions:changes", 1]);
  await writing.addMessage("chat", { role: "user", content: "hello" });
  expect((await first).value).toMatchObject({ sessionId: "chat", revision: 1 });
  stop.abort();
  await changes.return?.();
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
