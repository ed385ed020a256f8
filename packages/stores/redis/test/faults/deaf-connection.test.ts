import { SessionError } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { startFaultProxy, startServer } from "redis-servers";
import { expect, test } from "vitest";

test("a connection on which nothing comes back any more is left for a new one", async () => {
  await using server = await startServer();
  await using proxy = await startFaultProxy(server.port);
  await using store = await openRedisStore({ url: proxy.url }, { deadlineMs: 500 });
  await store.addMessage("chat", { role: "user", content: "first" });
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
  const error = await call().catch((reason: unknown) => reason);
  if (error !== undefined && SessionError.is(error)) expect(error.code).toBe("OUTCOME_UNKNOWN");
  await deaf.struck;
  await call();
  expect((await store.getChatHistory("chat")).map(({ content }) => content)).toEqual(["first", "second"]);
});
