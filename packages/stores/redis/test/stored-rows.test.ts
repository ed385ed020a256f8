import { adopt, create, GENERATED_COMMIT_RETENTION } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { openRedisStore } from "../src/open-redis-store.js";
import { sharedServer } from "./servers.js";
import { everythingOf, openedStore } from "./store.js";

const server = await sharedServer();
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

test("generated commits are forgotten, a few at a time, and the window does not grow", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  for (let n = 0; n < 5; n++)
    await Promise.all(Array.from({ length: 1000 }, (_, k) => store.addMessage("s", user(`${n}-${k}`))));
  const memories = (await client.hkeys(keys.session("s").record)).filter((name) => /^(C|g\d)/.test(name));
  const size = memories.length;
  const most = 2 * (GENERATED_COMMIT_RETENTION.count + 64 + 512) + 20;
  expect(size).toBeGreaterThan(GENERATED_COMMIT_RETENTION.count);
  expect(size).toBeLessThan(most);
  expect((await store.getSession("s", { messages: "none" }))?.messageCount).toBe(5000);
});

test("two extensions of a draft in one commit are two rows", async () => {
  await using opened = await openedStore(server);
  const { store } = opened;
  await store.addMessage("s", { id: "d", role: "assistant", content: "a", status: "partial" });
  const extend = (text: string): { op: "extend"; messageId: string; text: string } => ({
    op: "extend",
    messageId: "d",
    text,
  });
  await store.commit("s", [extend("b"), extend("c")]);
  await store.commit("s", extend("d"));
  expect((await store.getChatHistory("s"))[0]?.content).toBe("abcd");
  const stored = JSON.stringify(await everythingOf(opened, "s"));
  expect(stored.match(/"x0\.\d":/g)).toHaveLength(3);
});

test("what a session no longer holds is removed behind the commit", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  await store.setChatHistory(
    "s",
    Array.from({ length: 700 }, (_, n) => user(`${n}`)),
  );
  await store.clearSession("s");
  const fields = async (): Promise<number> =>
    (await client.hkeys(keys.session("s").session)).filter((name) => /^m\d|^i/.test(name)).length;
  while ((await fields()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await store.verify("s")).toMatchObject({ ok: true });
});

test("a session that is adopted under its own incarnation is read anew by those who have it in memory", async () => {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  const message = (id: string): { id: string; role: string; content: string } => ({
    id,
    role: "user",
    content: id,
  });
  for (const id of ["a", "b", "c"]) await store.addMessage("s", message(id));
  await using other = await openRedisStore({ url: server.url }, options);
  expect(await other.getChatHistory("s")).toHaveLength(3);
  const { session } = await store.exportSession("s");
  const turned = {
    ...session,
    messages: session.messages.toReversed(),
    revisions: session.revisions.map(() => 1),
  };
  await store.commit("s", adopt(turned), { ifRevision: 3 });
  for (const one of [store, other])
    expect((await one.getChatHistory("s")).map(({ id }) => id)).toEqual(["c", "b", "a"]);
  const many = Array.from({ length: 700 }, (_, n) => ({ ...message(`m${n}`), createdAt: n }));
  await store.commit("s", adopt({ ...turned, messages: many, revisions: many.map(() => 1) }), {
    ifRevision: 4,
  });
  for (const one of [store, other])
    expect((await one.getChatHistory("s")).map(({ id }) => id)).toEqual(many.map(({ id }) => id));
});

test("a session that is adopted under its own incarnation remembers the turns of the document, each once", async () => {
  await using opened = await openedStore(server);
  const { store } = opened;
  for (const turnId of ["t1", "t2"]) await store.runTurn("s", { turnId }, async () => []);
  const { session } = await store.exportSession("s");
  expect(session.finishedTurns.entries.map(({ id }) => id)).toEqual(["t1", "t2"]);
  await store.commit("s", adopt(session), { ifRevision: session.revision });
  expect((await store.exportSession("s")).session.finishedTurns).toEqual(session.finishedTurns);
  expect(await store.verify("s")).toMatchObject({ ok: true });
});

test("a session that is deleted and made again from its own document is read anew by those who have it in memory", async () => {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  await using other = await openRedisStore({ url: server.url }, options);
  for (const content of ["1", "2", "3"]) await store.addMessage("s", user(content));
  expect(await other.getChatHistory("s")).toHaveLength(3);
  const { session } = await store.exportSession("s");
  const [, ...rest] = session.messages;
  await store.deleteSession("s");
  await store.commit("s", create({ ...session, messages: rest, revisions: rest.map(() => 1) }));
  await store.addMessage("s", user("4"));
  for (const one of [store, other])
    expect((await one.getChatHistory("s")).map(({ content }) => content)).toEqual(["2", "3", "4"]);
});
