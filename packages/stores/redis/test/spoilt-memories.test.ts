import { set } from "@sessions/protocol";
import { expect, test } from "vitest";
import { openRedisStore } from "../src/open-redis-store.js";
import { sharedServer } from "./servers.js";
import { codeOf, type OpenedStore, openedStore } from "./store.js";

const server = await sharedServer();
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

/** Sessions "s" and "other", each with a finished turn and a commit whose id the caller chose. */
async function filled(): Promise<OpenedStore> {
  const opened = await openedStore(server, { partitions: 1 });
  const { store } = opened;
  for (const id of ["s", "other"]) {
    await store.addMessage(id, user("1"), { commitId: "given" });
    await store.runTurn(id, { turnId: "turn", messages: [user("2")] }, async () => []);
  }
  return opened;
}

/** A line with so many entries is looked at for those that may be forgotten. */
const LONG_LINE = 10_000;

test.each(["soon", "0 another", "99999999999999 another"])(
  "a session whose field hold says %j is written to by everybody",
  async (hold) => {
    await using opened = await filled();
    const { store, client, keys } = opened;
    const { record } = keys.session("s");
    await using fresh = await openRedisStore({ url: server.url }, opened.options);
    await client.hset(record, "hold", hold);
    await store.addMessage("s", user("3")); // append.lua, on a session that is known
    await fresh.addMessage("s", user("4"));
    await client.hset(record, "hold", hold);
    await store.patchSession("s", { title: "t" }); // commit.lua
    expect(await client.hget(record, "hold")).toBe("");
    await client.hset(record, "hold", hold);
    await fresh.setChatHistory("s", [user("5")]);
    expect((await store.getChatHistory("s")).map(({ content }) => content)).toEqual(["5"]);
  },
);

test.each([
  ["record", "c0", "field c0 of"],
  ["record", "Cgiven", "commits of session s"],
  ["session", "t0", "field t0 of"],
  ["session", "Tturn", "turns of session s"],
  ["session", "t.first", "t.first of session s"],
  ["session", "t.next", "t.next of session s"],
  ["session", "t.horizon", "t.horizon of session s"],
] as const)(
  "of the %s, a spoilt field %s is damage that export and verify name",
  async (part, field, name) => {
    await using opened = await filled();
    const { store, client, keys } = opened;
    const key = keys.session("s")[part];
    await client.hset(key, field, "spoilt");
    await expect(store.exportSession("s")).rejects.toMatchObject({
      code: "SESSION_CORRUPTED",
      sessionId: "s",
      message: expect.stringContaining(name),
    });
    expect(await store.verify("s")).toMatchObject({
      ok: false,
      findings: [{ severity: "harmful", location: expect.stringContaining(name) }],
    });
    expect(await client.hget(key, field)).toBe("spoilt");
    expect(await store.verify("other")).toMatchObject({ ok: true });
  },
);

test("a commit whose memory is spoilt is not taken for a duplicate of it", async () => {
  await using opened = await filled();
  const { store, client, keys } = opened;
  await client.hset(keys.session("s").record, "Cgiven", "spoilt");
  expect(await codeOf(store.addMessage("s", user("1"), { commitId: "given" }))).toBe("SESSION_CORRUPTED");
});

test("a line of finished turns that says it is endless is damage, and keeps the server from nothing", async () => {
  await using opened = await filled();
  const { store, client, keys } = opened;
  await client.hset(keys.session("s").session, "t.next", 99_999_999_999);
  expect(await codeOf(store.exportSession("s"))).toBe("SESSION_CORRUPTED");
  await store.addMessage("other", user("goes on"));
});

test.each([
  ["record", "c"],
  ["record", "g"],
  ["session", "t"],
] as const)(
  "of the %s, a spoilt oldest entry of the line %s is damage to the commit that would forget it",
  async (part, line) => {
    await using opened = await filled();
    const { client, keys } = opened;
    const key = keys.session("s")[part];
    // As after so many commits: the line is long, and its oldest entry is old.
    const first = Number(await client.hget(key, `${line}.first`));
    const entries: Record<string, string> = {};
    for (let n = first; n < first + LONG_LINE; n++) {
      entries[`${line}${n}`] = n === first ? "spoilt" : `1 id-${n}`;
      entries[`${line === "t" ? "T" : "C"}id-${n}`] = `1 1`;
    }
    const before = await client.hlen(key);
    await client.hset(key, entries);
    const added = (await client.hlen(key)) - before;
    const next = first + LONG_LINE;
    const stored = next - Number(await client.hget(key, `${line}.next`));
    await client.hset(key, `${line}.next`, next);
    const { record } = keys.session("s");
    await client.hincrby(
      record,
      part === "record" ? "fields" : "content",
      part === "record" ? added - 2 * stored : added,
    );
    await using fresh = await openRedisStore({ url: server.url }, opened.options);
    const write = (commitId: string): Promise<unknown> =>
      line === "t"
        ? fresh.runTurn("s", { turnId: commitId }, async () => [set({ title: commitId })])
        : line === "c"
          ? fresh.addMessage("s", user(commitId), { commitId })
          : fresh.addMessage("s", user(commitId));
    expect(await codeOf(write("one"))).toBe("SESSION_CORRUPTED");
    if (line !== "t") await fresh.getSession("s"); // append.lua
    expect(await codeOf(write("two"))).toBe("SESSION_CORRUPTED");
    expect(await client.hget(key, `${line}${first}`)).toBe("spoilt");
    await fresh.addMessage("other", user("goes on"));
  },
);
