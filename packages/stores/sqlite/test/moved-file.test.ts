import { renameSync, rmSync, truncateSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { openSqliteStore, SessionError, type SqliteStore } from "../src/index.js";
import { temporaryPath } from "./temporary.js";

/** What may happen to the files of a database while a store has them open. */
const MISHAPS: Readonly<Record<string, (path: string) => Promise<void> | void>> = {
  "the database is removed": (path) => rmSync(path),
  "the database is moved away": (path) => renameSync(path, `${path}-away`),
  "another database is moved over it": async (path) => {
    await using other = await openSqliteStore({ path: `${path}-other` });
    await other.addMessage("s", { role: "user", content: "of another database" });
    await other.close();
    renameSync(`${path}-other`, path);
  },
  "another file is moved over it": async (path) => {
    await writeFile(`${path}-other`, "text");
    renameSync(`${path}-other`, path);
  },
  "the database is truncated to nothing": (path) => truncateSync(path),
  "its WAL is removed": (path) => rmSync(`${path}-wal`),
  "the index of its WAL is removed": (path) => rmSync(`${path}-shm`),
};

const WITHIN_A_SECOND = { timeout: 1000, interval: 20 };

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    (error: unknown) => (SessionError.is(error) ? error.code : error),
  );

/** Every way to use a store. */
const EVERY_CALL: readonly ((store: SqliteStore) => PromiseLike<unknown>)[] = [
  (store) => store.addMessage("s", { role: "user", content: "nobody would find it" }),
  (store) => store.addMessage("new", { role: "user", content: "nobody would find it" }),
  (store) => store.getChatHistory("s"),
  (store) => store.sessionExists("s"),
  (store) => store.listSessions(),
  (store) => store.createSession("new"),
  (store) => store.beginTurn("s"),
  (store) => store.verify("s"),
  (store) => store.exportSession("s"),
  async (store) => store.backupTo(await temporaryPath()),
];

const answers = (store: SqliteStore): Promise<readonly unknown[]> =>
  Promise.all(EVERY_CALL.map((call) => codeOf(Promise.resolve(call(store)))));

describe("a store whose files are taken away refuses, because nobody else would find what it writes", () => {
  test.each(Object.entries(MISHAPS))("%s", async (_name, mishap) => {
    const path = await temporaryPath();
    const store = await openSqliteStore({ path });
    await store.addMessage("s", { role: "user", content: "before" });
    await mishap(path);
    await expect
      .poll(() => codeOf(store.addMessage("s", { role: "user", content: "after" })), WITHIN_A_SECOND)
      .toBe("STORE_UNAVAILABLE");
    expect(new Set(await answers(store))).toEqual(new Set(["STORE_UNAVAILABLE"]));
    const { healthy, warnings } = await store.describe();
    expect(healthy).toBe(false);
    expect(warnings.join()).toMatch(/was (removed|replaced|truncated) while the store was open/);
    await store.close();
  });

  test("no write that begins after the database was removed is acknowledged", async () => {
    const path = await temporaryPath();
    await using store = await openSqliteStore({ path });
    await store.addMessage("s", { role: "user", content: "before" });
    rmSync(path);
    expect(await codeOf(store.addMessage("s", { role: "user", content: "after" }))).toBe("STORE_UNAVAILABLE");
  });

  test("no call is told that a session is damaged when the whole database was truncated", async () => {
    for (const call of EVERY_CALL) {
      const path = await temporaryPath();
      await using store = await openSqliteStore({ path });
      await store.addMessage("s", { role: "user", content: "before" });
      truncateSync(path);
      // A read may be served from SQLite's own cache until the next look at the file.
      expect(["STORE_UNAVAILABLE", "done"]).toContain(await codeOf(Promise.resolve(call(store))));
      expect(await store.describe()).toMatchObject({ healthy: false });
    }
  });

  test("a store that only reads notices within a second", async () => {
    const path = await temporaryPath();
    await using writer = await openSqliteStore({ path });
    await writer.addMessage("s", { role: "user", content: "before" });
    await using store = await openSqliteStore({ path });
    expect(await codeOf(store.getChatHistory("s"))).toBe("done");
    rmSync(path);
    await expect.poll(() => codeOf(store.getChatHistory("s")), WITHIN_A_SECOND).toBe("STORE_UNAVAILABLE");
  });

  test("describe() notices it first where nobody calls anything else", async () => {
    const path = await temporaryPath();
    await using store = await openSqliteStore({ path });
    expect(await store.describe()).toMatchObject({ healthy: true });
    rmSync(path);
    expect(await store.describe()).toMatchObject({ healthy: false });
  });

  test("the files of a database that is checkpointed, vacuumed and used by others stay the same", async () => {
    const path = await temporaryPath();
    await using store = await openSqliteStore({ path });
    for (let n = 0; n < 5; n++) {
      await using other = await openSqliteStore({ path });
      await other.addMessage("s", { role: "user", content: "x".repeat(100_000) });
      await store.addMessage("s", { role: "user", content: "x" });
      await other.backupTo(await temporaryPath());
    }
    expect(await store.describe()).toMatchObject({ healthy: true });
    expect(await store.getChatHistory("s")).toHaveLength(10);
  });
});
