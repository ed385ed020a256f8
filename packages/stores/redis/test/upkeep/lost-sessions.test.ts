import { expect, test } from "vitest";
import { checkIndex, repairIndex, sessionIds } from "../../src/maintenance.js";
import { openRedisStore } from "../../src/open-redis-store.js";
import { sharedServer } from "../servers.js";
import { codeOf, openedStore } from "../store.js";

const server = await sharedServer();
const { url } = server;
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

/** Which keys of a session are gone. */
const losses: Readonly<Record<string, readonly ("record" | "session")[]>> = {
  "its record": ["record"],
  "its content": ["session"],
  "all of it": ["record", "session"],
};

test.each(Object.entries(losses))(
  "a session that has lost %s is damaged for every call, and named by whoever looks for damage",
  async (_, parts) => {
    const warnings: string[] = [];
    await using opened = await openedStore(server, { onWarning: ({ message }) => warnings.push(message) });
    const { store: writer, keys, client, options } = opened;
    for (const id of ["lost", "whole"])
      await writer.createSession(id, { messages: [user("1")], labels: { a: "b" } });
    const bundle = await writer.exportSession("lost");
    await client.del(...parts.map((part) => keys.session("lost")[part]));
    await using store = await openRedisStore({ url }, options);
    for (const call of [
      () => store.getSession("lost"),
      () => store.addMessage("lost", user("2")),
      () => store.createSession("lost"),
      () => store.deleteSession("lost"),
      () => store.importSession(bundle),
    ])
      expect([call.toString(), await codeOf(call())]).toEqual([call.toString(), "SESSION_CORRUPTED"]);
    for (const query of [{}, { labels: { a: "b" } }, { order: "id-asc" }] as const)
      expect((await store.listSessions(query)).items.map(({ id }) => id)).toEqual(["whole"]);
    expect(warnings.filter((text) => text.includes('"lost"'))).not.toEqual([]);
    const named: string[] = [];
    for await (const id of sessionIds({ url }, options)) named.push(id);
    expect(named.sort()).toEqual(["lost", "whole"]);
    expect(await store.verify("lost")).toMatchObject({ ok: false });
    expect(await store.verify("whole")).toMatchObject({ ok: true });
  },
);

test("a list by who had the acknowledgement leaves a lost session out, and does not use the loss up", async () => {
  const warnings: string[] = [];
  await using opened = await openedStore(server, { onWarning: ({ message }) => warnings.push(message) });
  const { store, keys, client } = opened;
  for (const id of ["lost", "whole"]) await store.addMessage(id, user("1"));
  const { record, session } = keys.session("lost");
  await client.del(record, session);
  expect((await store.listSessions()).items.map(({ id }) => id)).toEqual(["whole"]);
  expect(warnings).toContainEqual(expect.stringContaining('"lost" is damaged and was left out'));
  expect(await codeOf(store.getSession("lost"))).toBe("DATA_LOST");
  expect(await codeOf(store.getSession("lost"))).toBe("SESSION_CORRUPTED");
});

test("a session of which nothing is left is named by a repair, and can be imported again afterwards", async () => {
  await using opened = await openedStore(server, { onWarning: () => undefined });
  const { store, keys, client, options } = opened;
  await store.createSession("lost", { messages: [user("1")], labels: { a: "b" } });
  const bundle = await store.exportSession("lost");
  const { record, session } = keys.session("lost");
  await client.del(record, session);
  expect(await repairIndex({ url }, options)).toMatchObject({ sessions: 0, lost: ["lost"], damaged: [] });
  expect(await checkIndex({ url }, options)).toEqual([]);
  await using other = await openRedisStore({ url }, options);
  expect(await other.getSession("lost")).toBeUndefined();
  await other.importSession(bundle);
  expect((await other.listSessions({ labels: { a: "b" } })).items.map(({ id }) => id)).toEqual(["lost"]);
});

test("a session that is half gone stays as it is, and a repair says so", async () => {
  await using opened = await openedStore(server, { onWarning: () => undefined });
  const { store, keys, client, options } = opened;
  await store.createSession("half", { messages: [user("1")] });
  await client.del(keys.session("half").session);
  const record = await client.hgetall(keys.session("half").record);
  expect(await repairIndex({ url }, options)).toMatchObject({ lost: [], damaged: ["half"] });
  expect(await client.hgetall(keys.session("half").record)).toEqual(record);
  await using other = await openRedisStore({ url }, options);
  expect(await codeOf(other.getSession("half"))).toBe("SESSION_CORRUPTED");
});

test("a session that has expired is no damage, whether or not it was taken out of the index", async () => {
  await using opened = await openedStore(server, { onWarning: () => undefined });
  const { store, options } = opened;
  await store.createSession("brief", { expiresAt: Date.now() + 50, labels: { a: "b" } });
  await expect.poll(() => store.sessionExists("brief")).toBe(false);
  expect(await checkIndex({ url }, options)).toEqual([]);
  expect((await store.listSessions({ labels: { a: "b" } })).items).toEqual([]); // whoever lists takes it out
  await expect.poll(() => opened.client.zcard(opened.keys.partitionOf("brief").ends)).toBe(0);
  expect(await checkIndex({ url }, options)).toEqual([]);
  expect(await repairIndex({ url }, options)).toMatchObject({
    sessions: 0,
    entered: 0,
    lost: [],
    damaged: [],
  });
  expect(await store.getSession("brief")).toBeUndefined();
});
