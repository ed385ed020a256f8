import { SessionError } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { makeCertificate, startServer } from "redis-servers";
import { expect, test } from "vitest";

test("an encrypted connection works, and one that does not trust the server is refused clearly", async () => {
  const tls = makeCertificate();
  await using server = await startServer({ tls });
  const { url } = server;
  {
    await using store = await openRedisStore({ url, redis: { tls: { ca: tls.cert } } });
    await store.addMessage("chat", { role: "user", content: "hello" });
    expect((await store.getChatHistory("chat")).length).toBe(1);
    expect((await store.describe()).location).not.toContain(tls.key);
  }
  const error = await openRedisStore({ url }, { deadlineMs: 1000 }).catch((reason: unknown) => reason);
  expect(SessionError.is(error, "STORE_UNAVAILABLE") && error.message).toMatch(/certificate/i);
});
