import { append, count } from "@sessions/protocol";
import { expect, test } from "vitest";
import { openRedisStore } from "../src/open-redis-store.js";
import { sharedServer } from "./servers.js";
import { codeOf, everythingOf, openedStore } from "./store.js";

const server = await sharedServer();
const user = (content: string, id?: string): { role: string; content: string; id?: string } => ({
  role: "user",
  content,
  ...(id === undefined ? {} : { id }),
});

test("a refused commit leaves every field of every key as it was", async () => {
  await using opened = await openedStore(server);
  const { store } = opened;
  await store.createSession("s", { labels: { a: "1" }, messages: [user("1", "m1"), user("2", "m2")] });
  await store.addMessage("s", user("3", "m3"), { commitId: "c3" });
  await store.createSnapshot("s", "before");
  await store.archiveMessages("s", { keepRecent: 1 });
  const before = await everythingOf(opened, "s");
  const refusals: Readonly<Record<string, Promise<unknown>>> = {
    SESSION_EXISTS: store.createSession("s"),
    REVISION_CONFLICT: store.addMessage("s", user("x"), { ifRevision: 1 }),
    COMMIT_ID_REUSED: store.addMessage("s", user("x"), { commitId: "c3" }),
    MESSAGE_ID_TAKEN: store.addMessage("s", [user("new"), user("other", "m3")]),
    TURN_LOST: store.addMessage("s", user("x"), { fence: "1.nobody" }),
    MESSAGE_NOT_FOUND: store.commit("s", [append(user("x")), { op: "remove", messageIds: ["nobody"] }]),
    SNAPSHOT_NOT_FOUND: store.revertToSnapshot("s", "nothing"),
    INVALID_ARGUMENT: store.commit("s", [
      append(user("x")),
      count({ n: Number.MAX_SAFE_INTEGER }),
      count({ n: 1 }),
    ]),
  };
  for (const [code, refusal] of Object.entries(refusals)) expect(await codeOf(refusal)).toBe(code);
  expect(await everythingOf(opened, "s")).toEqual(before);
});

test("a repeat leaves every field as it was", async () => {
  await using opened = await openedStore(server);
  const { store } = opened;
  await store.addMessage("s", user("1"), { commitId: "c1" });
  const before = await everythingOf(opened, "s");
  expect(await store.addMessage("s", user("1"), { commitId: "c1" })).toMatchObject({ duplicate: true });
  expect(await everythingOf(opened, "s")).toEqual(before);
});

test("nobody else's key is touched, and no key is left without its prefix", async () => {
  await using opened = await openedStore(server);
  const { store, client, options } = opened;
  await client.set("somebody-else", "here");
  const others = new Set(await client.keys("*"));
  await store.addMessage("s", user("1"));
  await store.patchSession("s", { expiresAt: Date.now() + 60_000, labels: { a: "1" } });
  await store.deleteSession("s");
  const made = (await client.keys("*")).filter((key) => !others.has(key));
  expect(made.filter((key) => !key.startsWith(`${options.prefix}:`))).toEqual([]);
  expect(await client.get("somebody-else")).toBe("here");
});

test("all that is left of an expired session is its record", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  await store.addMessage("s", user("1"));
  const expiresAt = Date.now() + 60_000;
  await store.patchSession("s", { expiresAt });
  await store.addMessage("s", user("2"));
  const { session, record } = keys.session("s");
  expect(await client.pexpiretime(session)).toBe(expiresAt - 1);
  expect(await client.pexpiretime(record)).toBe(expiresAt + 7 * 24 * 3_600_000 - 1);
  await store.patchSession("s", { expiresAt: null });
  expect([await client.pexpiretime(session), await client.pexpiretime(record)]).toEqual([-1, -1]);
});

test("a session that was evicted is loud, and is not made anew", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  await store.addMessage("s", user("1"));
  await client.del(keys.session("s").session);
  expect(await codeOf(store.getSession("s"))).toBe("SESSION_CORRUPTED");
  expect(await codeOf(store.addMessage("s", user("2")))).toBe("SESSION_CORRUPTED");
  expect(await client.exists(keys.session("s").session)).toBe(0);
});

test.each([
  [["record", "session", "ids"]],
  [["record", "session", "ids", "recent"]],
  [["record", "session", "ids", "created", "feed"]],
] as const)(
  "a session of which %j are gone is not begun anew while a set of the index has it",
  async (names) => {
    await using opened = await openedStore(server, { partitions: 1 });
    const { store, client, keys, options } = opened;
    await store.addMessage("s", user("1"));
    await store.addMessage("other", user("1"));
    const { record, session, partition } = keys.session("s");
    const all: Record<string, string> = { ...partition, record, session, number: "" };
    await client.del(...names.map((name) => all[name] ?? ""));
    await using elsewhere = await openRedisStore({ url: server.url }, options);
    for (const one of [store, elsewhere, store])
      expect(await codeOf(one.addMessage("s", user("2")))).toMatch(/DATA_LOST|SESSION_CORRUPTED/);
    expect(await client.exists(record, session)).toBe(0);
  },
);
