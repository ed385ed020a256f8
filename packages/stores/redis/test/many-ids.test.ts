import { expect, test } from "vitest";
import { sharedServer } from "./servers.js";
import { openedStore } from "./store.js";

const server = await sharedServer();

// Lua can put about 8 000 values onto its stack.
test.each([8100, 20_000])("%i messages are read and removed by their ids in one call", async (count) => {
  await using opened = await openedStore(server);
  const { store } = opened;
  const messages = Array.from({ length: count }, (_, n) => ({ id: `m${n}`, role: "user", content: `${n}` }));
  await store.createSession("s", { messages });
  const ids = messages.map(({ id }) => id);
  const asked = [...ids.toReversed(), "nobody's"];
  const found = await store.getMessages("s", asked);
  expect(found.map(({ id }) => id)).toEqual(ids.toReversed());
  const { messages: removed } = await store.removeMessages("s", ids.slice(1));
  expect(removed).toHaveLength(count - 1);
  expect((await store.getChatHistory("s")).map(({ id }) => id)).toEqual(["m0"]);
});

test("10 000 commits that wait for one session are all decided", async () => {
  await using opened = await openedStore(server);
  const { store } = opened;
  await store.createSession("s");
  // Not plain appends: their commit ids are all looked up before they are decided.
  const commits = Array.from({ length: 10_000 }, () => store.incrementCounters("s", { n: 1 }));
  await Promise.all(commits);
  expect((await store.getSession("s"))?.counters).toEqual({ n: 10_000 });
});
