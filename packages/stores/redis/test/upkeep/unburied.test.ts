import { expect, test } from "vitest";
import { sharedServer } from "../servers.js";
import { type OpenedStore, openedStore } from "../store.js";

const server = await sharedServer();

async function listed({ store }: OpenedStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.listSessions()) ids.push(id);
  return ids;
}

test.each(["revision", "expires", "c.first", "c.next", "g.first", "g.next"])(
  "a session that has ended, and whose field %s is spoilt, keeps no other from being taken out of the index",
  async (field) => {
    const warnings: string[] = [];
    await using opened = await openedStore(server, {
      partitions: 1,
      onWarning: ({ message }) => warnings.push(message),
    });
    const { store, client, keys } = opened;
    const expiresAt = Date.now() + 200;
    for (const id of ["spoilt", "other"]) await store.createSession(id, { expiresAt });
    await client.hset(keys.session("spoilt").record, field, "spoilt");
    while (await store.sessionExists("other")) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await listed(opened)).toEqual([]);
    const { ends } = keys.partition(0);
    await expect.poll(() => client.zrange(ends, "0", "-1")).toEqual(["spoilt"]);
    expect(await client.hget(keys.session("spoilt").record, field)).toBe("spoilt");
    expect(warnings.filter((text) => text.includes("could not be taken out"))).toEqual([]);
  },
);

test("what another program has written where the content of a session was stays when the session has ended", async () => {
  await using opened = await openedStore(server, { partitions: 1 });
  const { store, client, keys } = opened;
  const expiresAt = Date.now() + 200;
  for (const id of ["s", "other"]) await store.createSession(id, { expiresAt });
  await client.set(keys.session("s").session, "not the store's");
  while (await store.sessionExists("other")) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await listed(opened)).toEqual([]);
  await expect.poll(() => client.zrange(keys.partition(0).ends, "0", "-1")).toEqual(["s"]);
  expect(await client.get(keys.session("s").session)).toBe("not the store's");
});
