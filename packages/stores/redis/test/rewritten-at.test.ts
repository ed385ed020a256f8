import { expect, test } from "vitest";
import { checkedJson, parseChecked } from "../src/checked-text.js";
import { openRedisStore } from "../src/open-redis-store.js";
import type { SmallState } from "../src/stored-state.js";
import { sharedServer } from "./servers.js";
import { openedStore } from "./store.js";

const server = await sharedServer();

test("a session that does not say when its messages were rewritten merges only what was read at its revision", async () => {
  await using opened = await openedStore(server);
  const { client, keys, options } = opened;
  const { session } = keys.session("s");
  for (const id of ["a", "b"]) await opened.store.addMessage("s", { id, role: "user", content: id });
  const stored = (await client.hget(session, "z")) ?? "";
  const { rewrittenAt, ...older } = parseChecked<SmallState>(stored, "z");
  expect(rewrittenAt).toBe(0);
  await client.hset(session, "z", checkedJson(older));
  await using store = await openRedisStore({ url: server.url }, options);
  const merge = (base: number): Promise<unknown> => store.setChatHistory("s", [], { base });
  await expect(merge(1)).rejects.toMatchObject({ code: "REVISION_CONFLICT", expected: 1, actual: 2 });
  await merge(2);
  expect(await store.getChatHistory("s")).toEqual([]);
});
