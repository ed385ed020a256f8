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
    seen.push(await client.hget(session, "r"));
  }
  expect(seen).toEqual(seen.map(() => null));
});
