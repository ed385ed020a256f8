import { set } from "@sessions/protocol";
import { expect, test } from "vitest";
import { openRedisStore } from "../src/open-redis-store.js";
import { sharedServer } from "./servers.js";
import { codeOf, openedStore } from "./store.js";

const server = await sharedServer();

const MEMORIES = ["c", "g"].flatMap((line) => [`${line}.first`, `${line}.next`, `${line}.horizon`]);
/** What commit.lua looks at before it writes. */
const CHECKED = ["revision", "next", "fields", "content", "expires", ...MEMORIES];

test.each([...CHECKED, "updated"])(
  "a record whose field %s holds no number is damaged for a store that knows the session, as for any other",
  async (field) => {
    await using opened = await openedStore(server, { partitions: 1 });
    const { store, client, keys } = opened;
    await using fresh = await openRedisStore({ url: server.url }, opened.options);
    await store.createSession("s", {
      expiresAt: Date.now() + 3_600_000,
      messages: [{ role: "user", content: "one" }],
    });
    await store.getSession("s");
    await client.hset(keys.session("s").record, field, "spoilt");
    if (CHECKED.includes(field))
      expect(await codeOf(store.commit("s", set({ title: "t" })))).toBe("SESSION_CORRUPTED");
    expect(await codeOf(store.getSession("s"))).toBe("SESSION_CORRUPTED");
    expect(await codeOf(fresh.getSession("s"))).toBe("SESSION_CORRUPTED");
    expect(await client.hget(keys.session("s").record, field)).toBe("spoilt");
  },
);
