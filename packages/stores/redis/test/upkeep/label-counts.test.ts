import { expect, test } from "vitest";
import { labelCounts } from "../../src/maintenance.js";
import { sharedServer } from "../servers.js";
import { openedStore } from "../store.js";

const server = await sharedServer();

test("sessions are counted by label without being read, deleted ones and former labels left out", async () => {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  for (let n = 0; n < 30; n++)
    await store.createSession(`s${n}`, { labels: { user: n % 3 === 0 ? "ada" : "b:ob", n: `${n % 2}` } });
  await store.deleteSession("s0");
  await store.patchSession("s3", { labels: { user: null } });
  await store.patchSession("s1", { labels: { user: "ada" } });
  const counts = await labelCounts({ url: server.url }, options);
  expect(Object.fromEntries([...counts].map(([name, values]) => [name, Object.fromEntries(values)]))).toEqual(
    {
      user: { ada: 9, "b:ob": 19 },
      n: { 0: 14, 1: 15 },
    },
  );
});
