import { expect, test } from "vitest";
import { checkIndex, repairIndex } from "../src/maintenance.js";
import { openRedisStore } from "../src/open-redis-store.js";
import { sharedServer } from "./servers.js";
import { openedStore } from "./store.js";

const server = await sharedServer();
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

test.each(["position", "watched", "count:ids", "count:recent", "count:feed"])(
  "where the field %s of a partition's head is spoilt, each commit does what its caller hears",
  async (field) => {
    await using opened = await openedStore(server, { partitions: 1 });
    const { store, client, keys, options } = opened;
    const { head, ids, feed } = keys.partition(0);
    await store.createSession("s", { messages: [user("1")] });
    await using fresh = await openRedisStore({ url: server.url }, options);
    await client.hset(head, field, "spoilt");
    for (const one of [store, fresh]) {
      const id = one === store ? "new" : "newer";
      const before = (await fresh.getSession("s"))?.revision;
      const created = await one.createSession(id).then(
        () => true,
        () => false,
      );
      expect((await client.exists(keys.session(id).record)) === 1).toBe(created);
      expect((await client.zscore(ids, id)) !== null).toBe(created);
      expect((await client.zscore(feed, id)) !== null).toBe(created);
      const added = await one.addMessage("s", user("2")).then(
        () => true,
        () => false,
      );
      expect((await fresh.getSession("s"))?.revision).toBe(Number(before) + Number(added));
      // Where ids may be missing, nobody can tell a session that was never there from one that was lost.
      expect({ created, added }).toEqual({
        created: field !== "position" && field !== "count:ids",
        added: field !== "position",
      });
    }
    const { url } = server;
    if (field !== "watched") expect(await checkIndex({ url }, options)).not.toEqual([]);
    expect(await repairIndex({ url }, options)).toMatchObject({ damaged: [], lost: [] });
    expect(await checkIndex({ url }, options)).toEqual([]);
    await store.addMessage("s", user("3"));
    await fresh.createSession("newest");
    const listed: string[] = [];
    for await (const { id } of fresh.listSessions()) listed.push(id);
    expect(listed).toEqual(expect.arrayContaining(["newest", "s"]));
  },
);
