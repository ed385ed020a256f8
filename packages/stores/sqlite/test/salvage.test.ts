import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { openSqliteStore } from "../src/index.js";
import { salvageSession, sessionIds } from "../src/maintenance.js";
import { altered, temporaryPath } from "./temporary.js";

async function filled(): Promise<string> {
  const path = await temporaryPath();
  await using store = await openSqliteStore({ path });
  for (const id of ["bad", "good"]) {
    const messages = Array.from({ length: 20 }, (_, n) => ({
      id: `${id}-${n}`,
      role: "user",
      content: `${n}`,
    }));
    await store.createSession(id, { title: id, metadata: { note: "kept" }, messages: messages.slice(0, 10) });
    await store.createSnapshot(id, "early");
    await store.addMessage(id, messages.slice(10), { commitId: "second half" });
    await store.createSnapshot(id, "late");
    await store.archiveMessages(id, { keepRecent: 5 });
  }
  return path;
}

test("what can be read becomes a session of its own, and the damaged one is not touched", async () => {
  const path = await filled();
  altered(path, (db) =>
    db.exec("UPDATE messages SET body = replace(body, 'user', 'usur') WHERE id IN ('bad-12', 'bad-17')"),
  );
  await using store = await openSqliteStore({ path });
  expect(await store.verify("bad"), "what can be read is counted").toMatchObject({ ok: false, messages: 18 });
  const saved = await salvageSession({ path, sessionId: "bad", newId: "saved" });
  expect(saved).toMatchObject({ messages: 18, lostMessages: 2, lostSnapshots: ["late"], revision: 5 });
  const session = await store.getSession("saved");
  expect(session).toMatchObject({ title: "bad", metadata: { note: "kept" }, snapshots: [{ name: "early" }] });
  expect(session?.messages.map(({ id }) => id)).toEqual(["bad-15", "bad-16", "bad-18", "bad-19"]);
  expect(session?.archives).toMatchObject([
    { messageCount: 14, firstMessageId: "bad-0", lastMessageId: "bad-14" },
  ]);
  expect(await store.verify("saved")).toMatchObject({ ok: true });
  await store.revertToSnapshot("saved", "early");
  expect(await store.getChatHistory("saved")).toHaveLength(10);
  await expect(store.exportSession("bad")).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
  expect(await store.verify("good")).toMatchObject({ ok: true });
});

test("a sound session is not salvaged, and none is overwritten", async () => {
  const path = await filled();
  altered(path, (db) => db.exec("DELETE FROM messages WHERE id = 'bad-3'"));
  await using store = await openSqliteStore({ path });
  const salvage = (sessionId: string, newId: string) => salvageSession({ path, sessionId, newId });
  await expect(salvage("good", "saved")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(salvage("nobody", "saved")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(salvage("bad", "good")).rejects.toMatchObject({ code: "SESSION_EXISTS" });
  expect(await store.sessionExists("saved")).toBe(false);
});

test("a session whose record is damaged is in no list, and is named all the same", async () => {
  const path = await filled();
  altered(path, (db) => db.exec("UPDATE sessions SET revision = 1 WHERE id = 'bad'"));
  await using store = await openSqliteStore({ path });
  expect((await store.listSessions()).items.map(({ id }) => id)).toEqual(["good"]);
  const ids: string[] = [];
  for await (const id of sessionIds({ path })) ids.push(id);
  expect(ids).toEqual(["bad", "good"]);
  await expect(salvageSession({ path, sessionId: "bad", newId: "saved" })).rejects.toMatchObject({
    code: "SESSION_CORRUPTED",
  });
});

test("a session that lacks rows is salvaged without them, and what it has forgotten is not taken for new", async () => {
  const path = await filled();
  altered(path, (db) =>
    db.exec("DELETE FROM parts WHERE kind = 'metadata' AND key = 1; DELETE FROM memories WHERE key = 1"),
  );
  await using store = await openSqliteStore({ path });
  await expect(store.getSession("bad")).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
  expect(await salvageSession({ path, sessionId: "bad", newId: "saved" })).toMatchObject({
    messages: 20,
    lostMessages: 0,
  });
  expect(await store.getSession("saved")).toMatchObject({ title: "bad", metadata: {}, messageCount: 5 });
  const again = store.addMessage("saved", [], { commitId: "second half", firstSentAt: new Date(0) });
  await expect(again).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  await expect(store.getSession("bad")).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
});

test("tools refuse a database that is not there, and make none", async () => {
  const path = `${await filled()}.other`;
  const listed = async (): Promise<unknown> => sessionIds({ path }).next();
  await expect(listed()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  const salvaged = salvageSession({ path, sessionId: "bad", newId: "saved" });
  await expect(salvaged).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(existsSync(path)).toBe(false);
});
