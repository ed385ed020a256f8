import { expect, test } from "vitest";
import { openSqliteStore } from "../src/index.js";
import { removeDamagedSession, sessionIds } from "../src/maintenance.js";
import { sortKeyOf } from "../src/session/sort-key.js";
import { altered, temporaryPath } from "./temporary.js";

const IDS = ["bad", "good", "é", "日本", "👩‍👩‍👧‍👦", "\ufffd and 🚚"];

async function filled(): Promise<string> {
  const path = await temporaryPath();
  await using store = await openSqliteStore({ path });
  for (const id of IDS)
    await store.addMessage(id, [{ id: `in ${id}`, role: "user", content: id }], { commitId: "c" });
  await store.forkSession("bad", { newId: "fork" });
  return path;
}

async function ids(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const id of sessionIds({ path })) found.push(id);
  return found;
}

test("a damaged session is removed with its rows, its fork keeps what they share, and its id begins again", async () => {
  const path = await filled();
  altered(path, (db) => db.exec("UPDATE sessions SET state = '{' WHERE id = 'bad'"));
  await removeDamagedSession({ path, sessionId: "bad" });
  expect(await ids(path)).not.toContain("bad");
  await using store = await openSqliteStore({ path });
  expect(await store.getChatHistory("fork")).toMatchObject([{ id: "in bad" }]);
  expect(await store.verify("fork")).toMatchObject({ ok: true });
  expect(await store.addMessage("bad", { role: "user", content: "again" })).toMatchObject({ revision: 1 });
  await store.deleteSession("fork");
  await removedRows(path);
});

/** After a sweep nothing is left of messages that no session has. */
async function removedRows(path: string): Promise<void> {
  const { openSqliteBackend } = await import("../src/maintenance.js");
  const backend = await openSqliteBackend({ path });
  await backend.sweep();
  await backend.close();
  expect(
    altered(path, (db) => db.prepare("SELECT count(*) FROM messages WHERE id = 'in bad'").pluck().get()),
  ).toBe(0);
}

test("a sound session is not removed, nor one that does not exist", async () => {
  const path = await filled();
  await expect(removeDamagedSession({ path, sessionId: "good" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  await expect(removeDamagedSession({ path, sessionId: "nobody" })).rejects.toMatchObject({
    code: "SESSION_NOT_FOUND",
  });
  expect(await ids(path)).toContain("good");
});

test("a session whose id is damaged is named by the id that calls find it by, and removed by that", async () => {
  const path = await filled();
  altered(path, (db) => db.exec("UPDATE sessions SET id = 'bed' WHERE id = 'bad'"));
  expect(await ids(path)).toContain("bad");
  await using store = await openSqliteStore({ path });
  await expect(store.getSession("bad")).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
  await store.close();
  await removeDamagedSession({ path, sessionId: "bad" });
  expect(await ids(path)).not.toContain("bad");
});

test("every id is named as it is, in the order of lists", async () => {
  const path = await filled();
  const sorted = [...IDS, "fork"].toSorted((a, b) => Buffer.compare(sortKeyOf(a), sortKeyOf(b)));
  expect(await ids(path)).toEqual(sorted);
});
