import { openRedisStore } from "@sessions/redis";
import { startFaultProxy, startServer } from "redis-servers";
import { expect, test } from "vitest";

test("a renewal of a turn, which no session remembers, is not taken for lost when the connection is lost", async () => {
  await using server = await startServer();
  await using proxy = await startFaultProxy(server.port);
  await using store = await openRedisStore({ url: proxy.url });
  const begun = await store.beginTurn("chat", { ttlMs: 60_000, renew: false });
  if (begun.status !== "begun") throw new Error("it is the first turn");
  await begun.turn.renew();
  proxy.cutAll();
  await store.addMessage("chat", { role: "user", content: "hello" });
  expect((await store.getChatHistory("chat")).length).toBe(1);
  await begun.turn.complete();
});
