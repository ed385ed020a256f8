import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { openRedisStore } from "../src/open-redis-store.js";
import { sharedServer } from "./servers.js";

const server = await sharedServer();

test("a store reads what it has appended as every other store does, whoever appended in between", async () => {
  await using own = await openRedisStore({ url: server.url }, { prefix: "cached" });
  await using other = await openRedisStore({ url: server.url }, { prefix: "cached" });
  for (const writer of [own, own, other, own, other, other, own]) {
    await writer.addMessage("s", { role: "user", content: "one" });
    await writer.addMessage("s", [
      { id: crypto.randomUUID(), role: "assistant", content: [{ type: "text", text: "two" }] },
      { role: "user", content: "three", createdAt: 17, metadata: { a: { b: [1] } } },
    ]);
    await using fresh = await openRedisStore({ url: server.url }, { prefix: "cached" });
    const expected = await fresh.getSession("s");
    expect(await own.getSession("s")).toEqual(expected);
    expect(await other.getSession("s")).toEqual(expected);
  }
  const history = await own.getChatHistory("s");
  expect(history).toHaveLength(21);
  expect(history.every((message) => Object.isFrozen(message))).toBe(true);
});

test("what a caller changes in a message that it has added is not what the store reads", async () => {
  await using store = await openRedisStore({ url: server.url }, { prefix: "changed" });
  await store.createSession("s");
  const content = [{ type: "text", text: "before" }];
  await store.addMessage("s", { role: "user", content });
  for (const part of content) part.text = "after";
  const [message] = await store.getChatHistory("s");
  expect(message?.content).toEqual([{ type: "text", text: "before" }]);
});

test("a session that was read, and of which something is missing since, is damaged, though its revision is the same", async () => {
  await using store = await openRedisStore({ url: server.url }, { prefix: "missing" });
  for (const content of ["one", "two"]) await store.addMessage("s", { role: "user", content });
  await store.getSession("s");
  const client = new Redis(server.url);
  onTestFinished(() => client.disconnect());
  const [key = ""] = await client.keys("missing:*:session:s");
  await client.hdel(key, "m0");
  await expect(store.getSession("s")).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
  await client.del(key);
  await expect(store.getSession("s")).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
});
