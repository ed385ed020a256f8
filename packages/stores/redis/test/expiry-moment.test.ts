import { TOMBSTONE_MS } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { sharedServer } from "./servers.js";
import { openedStore } from "./store.js";

const server = await sharedServer();

test("in the millisecond in which a session is gone for readers its key is gone, too: lists look at nothing else", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  const seen: (string | null)[] = [];
  for (let round = 0; round < 50; round++) {
    const id = `s${round}`;
    const { session } = keys.session(id);
    await store.createSession(id, { expiresAt: Date.now() + 5 });
    while (await store.sessionExists(id));
    seen.push(await client.hget(session, "state"));
  }
  expect(seen).toEqual(seen.map(() => null));
});

test("an append to a session that renews on use moves the ends of all its keys together", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  const { session, record } = keys.session("s");
  await store.createSession("s", { expiresIn: 3_600_000, renewOnUse: true });
  const before = (await store.getSession("s"))?.expiresAt ?? 0;
  while (((await store.getSession("s"))?.expiresAt ?? 0) <= before)
    await store.addMessage("s", { role: "user", content: "again" });
  const end = (await store.getSession("s"))?.expiresAt ?? 0;
  expect(await client.pexpiretime(session)).toBe(end - 1);
  expect(await client.pexpiretime(record)).toBe(end + TOMBSTONE_MS - 1);
  expect(await client.hget(record, "expires")).toBe(String(end));
});
