import { TOMBSTONE_MS } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { expiryText } from "../src/expiry-text.js";
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
    seen.push(await client.hget(session, "r"));
  }
  expect(seen).toEqual(seen.map(() => null));
});

test("an append to a session that renews on use moves the ends of all its keys together", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  const { session, window } = keys.session("s");
  await store.createSession("s", { expiresIn: 3_600_000, renewOnUse: true });
  const before = (await store.getSession("s"))?.expiresAt ?? 0;
  while (((await store.getSession("s"))?.expiresAt ?? 0) <= before)
    await store.addMessage("s", { role: "user", content: "again" });
  const end = (await store.getSession("s"))?.expiresAt ?? 0;
  expect(String(await client.call("pexpiretime", session))).toBe(expiryText(end));
  expect(String(await client.call("pexpiretime", window))).toBe(expiryText(end + TOMBSTONE_MS));
  expect(await client.hget(window, "e")).toBe(String(end));
});
