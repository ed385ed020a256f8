import { describe, expect, test } from "vitest";
import { type MessageInput, openSqliteStore, type SqliteStore, systemClock } from "../src/index.js";
import { altered, temporaryPath } from "./temporary.js";

const DAY_MS = 24 * 3_600_000;

const numbered = (count: number): MessageInput[] =>
  Array.from({ length: count }, (_, n) => ({ id: `m${n}`, role: "user", content: `${n}` }));

const countIn = (path: string, table: string): number =>
  altered(path, (db) => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()));

async function withStore(work: (store: SqliteStore, path: string) => Promise<void>): Promise<void> {
  const path = await temporaryPath();
  await using store = await openSqliteStore({ path, sweepIntervalMs: 0 });
  await work(store, path);
}

describe("the sweep removes rows that no session refers to", () => {
  test("the messages of a deleted session", () =>
    withStore(async (store, path) => {
      await store.addMessage("s", numbered(1200));
      await store.deleteSession("s");
      await store.sweep();
      expect(countIn(path, "messages")).toBe(0);
      expect(countIn(path, "logs")).toBe(0);
    }));

  test("what was cleared, but not what a snapshot holds", () =>
    withStore(async (store, path) => {
      await store.addMessage("s", numbered(1000));
      await store.createSnapshot("s", "mark");
      await store.addMessage("s", { id: "later", role: "user", content: "x" });
      await store.clearSession("s");
      await store.sweep();
      expect(countIn(path, "messages")).toBe(1000);
      await store.revertToSnapshot("s", "mark");
      expect(await store.getChatHistory("s")).toHaveLength(1000);
      await store.clearSession("s");
      await store.dropSnapshot("s", "mark");
      await store.sweep();
      expect(countIn(path, "messages")).toBe(0);
    }));

  test("a parent, but not what its fork holds; then the fork too", () =>
    withStore(async (store, path) => {
      await store.addMessage("p", numbered(1000));
      await store.forkSession("p", { newId: "f", at: "m599" });
      await store.forkSession("f", { newId: "g", at: "m99" });
      await store.deleteSession("p");
      await store.sweep();
      expect(countIn(path, "messages")).toBe(600);
      expect(await store.getChatHistory("f")).toHaveLength(600);
      await store.deleteSession("f");
      await store.sweep();
      expect(countIn(path, "messages")).toBe(100);
      expect((await store.getChatHistory("g")).at(-1)).toMatchObject({ id: "m99", content: "99" });
      expect(await store.verify("g")).toMatchObject({ ok: true });
      await store.deleteSession("g");
      await store.sweep();
      expect(countIn(path, "messages")).toBe(0);
      expect(countIn(path, "log_references")).toBe(0);
    }));

  test("after it others go on with what they have in memory", () =>
    withStore(async (store, path) => {
      await using other = await openSqliteStore({ path, sweepIntervalMs: 0 });
      await store.addMessage("s", numbered(1000));
      expect(await other.getChatHistory("s")).toHaveLength(1000);
      await store.setChatHistory("s", [
        ...(await store.getChatHistory("s")).slice(0, 10),
        { role: "user", content: "x" },
      ]);
      const kept = await other.getChatHistory("s");
      await store.sweep();
      expect(await other.getChatHistory("s")).toEqual(kept);
      await other.setChatHistory("s", [...kept, { id: "y", role: "user", content: "y" }]);
      expect((await store.getChatHistory("s")).map(({ content }) => content).slice(-3)).toEqual([
        "9",
        "x",
        "y",
      ]);
      expect(countIn(path, "messages")).toBe(12);
    }));

  test("what a large commit wrote ahead and did not use", () =>
    withStore(async (store, path) => {
      await store.addMessage("s", numbered(600));
      const refused = store.addMessage("s", [...numbered(600), { id: "m0", role: "user", content: "other" }]);
      await expect(refused).rejects.toMatchObject({ code: "MESSAGE_ID_TAKEN" });
      await store.sweep();
      expect(countIn(path, "messages")).toBe(600);
      expect(await store.verify("s")).toMatchObject({ ok: true, messages: 600 });
    }));
});

test("an expired session gets its tombstone, which is forgotten after a week", async () => {
  const path = await temporaryPath();
  let now = 1_800_000_000_000;
  const clock = { ...systemClock, now: () => now };
  await using store = await openSqliteStore({ path, sweepIntervalMs: 0, clock });
  await store.createSession("s", { messages: numbered(3), labels: { a: "b" }, expiresAt: now + 1000 });
  await store.addMessage("stays", numbered(1));
  now += 1001;
  await store.sweep();
  expect(countIn(path, "messages")).toBe(1);
  expect(countIn(path, "labels")).toBe(0);
  expect(countIn(path, "sessions")).toBe(2);
  expect(await store.addMessage("s", numbered(1))).toMatchObject({ revision: 3 });
  await store.deleteSession("s");
  now += 8 * DAY_MS;
  await store.sweep();
  expect(countIn(path, "sessions")).toBe(1);
  expect(countIn(path, "memories")).toBe(0);
  expect(await store.addMessage("s", numbered(1))).toMatchObject({ revision: 1 });
});

test("a cursor of the feed stays good when the newest change is forgotten", async () => {
  const path = await temporaryPath();
  await using store = await openSqliteStore({ path, sweepIntervalMs: 0 });
  await store.addMessage("a", numbered(1));
  const seen: string[] = [];
  const until = new AbortController();
  await store.addMessage("b", numbered(1));
  await store.deleteSession("b");
  for await (const change of store.watch({ session: "b", since: 0, signal: until.signal })) {
    seen.push(change.cursor);
    until.abort();
  }
  altered(path, (db) => db.prepare("UPDATE sessions SET deleted_at = 1 WHERE id = 'b'").run());
  await store.sweep();
  await store.addMessage("c", numbered(1));
  const after = new AbortController();
  for await (const change of store.watch({ since: seen[0] ?? "", signal: after.signal })) {
    expect(change.sessionId).toBe("c");
    after.abort();
  }
});

function runsOf(path: string): number {
  const state = altered(path, (db) => db.prepare("SELECT state FROM sessions WHERE id = 's'").pluck().get());
  return JSON.parse(String(state)).head.length;
}

test("a history that is changed again and again keeps few runs", () =>
  withStore(async (store, path) => {
    await store.addMessage("s", numbered(300));
    await store.createSnapshot("s", "mark");
    for (let n = 0; n < 150; n++)
      await store.updateMessage("s", `m${n * 2}`, { role: "user", content: `changed ${n}` });
    expect(runsOf(path)).toBeLessThanOrEqual(70);
    const history = await store.getChatHistory("s");
    expect(history.map(({ content }) => content)).toEqual(
      numbered(300).map(({ content }, n) => (n % 2 === 0 ? `changed ${n / 2}` : content)),
    );
    expect(await store.verify("s")).toMatchObject({ ok: true, messages: 300 });
  }));

test("a history whose end is replaced again and again keeps few runs, and the sweep removes the old rows", () =>
  withStore(async (store, path) => {
    await store.addMessage("s", numbered(200));
    for (let n = 0; n < 200; n++) {
      await store.addMessage("s", { role: "user", content: `again ${n}` });
      await store.addMessage("s", { role: "user", content: `and ${n}` });
      await store.popMessage("s");
      await store.removeMessages("s", `m${n}`);
    }
    await store.sweep();
    expect(countIn(path, "messages")).toBe(200);
    expect(runsOf(path)).toBeLessThanOrEqual(70);
    expect(await store.verify("s")).toMatchObject({ ok: true, messages: 200 });
  }));

test("a stream writes what it adds, and is one row when it is complete", () =>
  withStore(async (store, path) => {
    await store.addMessage("s", { id: "d", role: "assistant", content: "", status: "partial" });
    for (let n = 0; n < 100; n++) await store.commit("s", { op: "extend", messageId: "d", text: `${n} ` });
    expect(countIn(path, "extensions")).toBe(100);
    const words = Array.from({ length: 100 }, (_, n) => `${n} `).join("");
    await using other = await openSqliteStore({ path });
    expect(await other.getChatHistory("s")).toMatchObject([{ content: words, status: "partial" }]);
    await store.commit("s", { op: "extend", messageId: "d", status: "complete" });
    expect(countIn(path, "extensions")).toBe(0);
    expect(await other.getChatHistory("s")).toMatchObject([{ content: words }]);
  }));
