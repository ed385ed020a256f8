import { expect, test } from "vitest";
import { sharedServer } from "./servers.js";
import { codeOf, openedStore } from "./store.js";

const server = await sharedServer();
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

test("a store that is open refuses to read and to write what has a newer format by now", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  await store.addMessage("s", user("1"));
  await store.getSession("s");
  // A newer version may write fields that look like damage to this one.
  await client.hset(keys.session("s").session, "state", "in another form");
  await client.hset(keys.session("s").record, "version", "a newer version");
  for (const { head } of keys.partitions) await client.hset(head, "format", "99");
  for (let n = 0; n < 2; n++)
    for (const call of [
      () => store.getSession("s"),
      () => store.getSession("s", { messages: "none" }),
      () => store.exportSession("s"),
      () => store.updateSessionMetadata("s", { a: 1 }),
      () => store.addMessage("s", user("2")),
      () => store.createSession("new"),
      () => Promise.resolve(store.listSessions()),
    ])
      expect([call.toString(), await codeOf(call())]).toEqual([call.toString(), "FORMAT_UNSUPPORTED"]);
  expect(await client.exists(keys.session("new").record)).toBe(0);
});
