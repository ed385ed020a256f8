import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { SessionError } from "@sessions/protocol";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { migrate } from "../src/engine/migrations/migrate.js";
import { MIGRATIONS, SCHEMA_VERSION } from "../src/engine/migrations/migrations.js";
import { openSqliteStore } from "../src/index.js";
import { started } from "./other-process.js";
import { altered, temporaryPath } from "./temporary.js";

/** Every schema version that was ever released, as a database that it wrote. */
const fixtures = ["version-3.db"];

const NEXT = { version: SCHEMA_VERSION + 1, sql: "ALTER TABLE sessions ADD COLUMN mood TEXT" };
const FAILING = { ...NEXT, sql: `${NEXT.sql}; CREATE TABLE sessions (a)` };

async function copied(fixture: string): Promise<string> {
  const path = await temporaryPath();
  await copyFile(fileURLToPath(new URL(`./fixtures/${fixture}`, import.meta.url)), path);
  return path;
}

const versionOf = (path: string): unknown =>
  altered(path, (db) => db.pragma("user_version", { simple: true }));

describe("a database of an earlier schema version", () => {
  test.each(fixtures)("%s opens, with all that was in it", async (fixture) => {
    const path = await copied(fixture);
    await using store = await openSqliteStore({ path });
    expect(await store.describe()).toMatchObject({ format: { version: SCHEMA_VERSION }, healthy: true });
    expect((await store.listSessions({ order: "id-asc" })).items.map(({ id }) => id)).toEqual([
      "child",
      "parent",
    ]);
    for (const id of ["parent", "child"]) expect(await store.verify(id)).toMatchObject({ ok: true });
    const parent = await store.getSession("parent");
    expect(parent).toMatchObject({
      title: "Kept",
      labels: { user: "ada" },
      metadata: { note: { a: [1] } },
      counters: { turns: 2 },
      archives: [{ summary: { status: "done", text: "They greeted each other." } }],
      snapshots: [{ name: "mark", messageCount: 4 }],
    });
    expect(parent?.messages.map(({ content }) => content)).toEqual(["3, changed", "4", "draft and more"]);
    const draft = { id: "d", role: "assistant", content: "draft", status: "partial" } as const;
    const repeated = await store.addMessage("parent", draft, { commitId: "c1" });
    expect(repeated).toMatchObject({ duplicate: true });
    const [last] = await store.getChatHistory("child", { limit: 1 });
    if (last === undefined) throw new Error("the child has no messages");
    await store.updateMessage("child", last.id, { role: "user", content: "found by its id" });
    await store.revertToSnapshot("parent", "mark");
    expect((await store.getChatHistory("parent")).map(({ content }) => content)).toEqual([
      "1",
      "2",
      "3",
      "4",
    ]);
  });
});

test("a database of a version that was never released is refused, and left as it is", async () => {
  const path = await copied("version-3.db");
  altered(path, (db) => db.pragma("user_version = 2"));
  await expect(openSqliteStore({ path })).rejects.toMatchObject({
    code: "FORMAT_UNSUPPORTED",
    found: 2,
    supported: SCHEMA_VERSION,
  });
  expect(versionOf(path)).toBe(2);
});

describe("a migration", () => {
  test.each(fixtures)("brings %s to the present schema, once", async (fixture) => {
    const path = await copied(fixture);
    for (let times = 0; times < 2; times++) altered(path, (db) => migrate(db, [...MIGRATIONS, NEXT]));
    expect(versionOf(path)).toBe(NEXT.version);
  });

  test.each(fixtures)("that fails leaves %s as it was", async (fixture) => {
    const path = await copied(fixture);
    const before = versionOf(path);
    expect(() => altered(path, (db) => migrate(db, [...MIGRATIONS, FAILING]))).toThrow(Database.SqliteError);
    expect(versionOf(path)).toBe(before);
    await using store = await openSqliteStore({ path });
    expect(await store.sessionExists("parent")).toBe(true);
  });

  test.each(fixtures)("in whose middle the process is killed leaves %s usable", async (fixture) => {
    const path = await copied(fixture);
    const before = versionOf(path);
    const [, signal] = await once(started("./die-in-migration.mjs", { path, sql: NEXT.sql }), "exit");
    expect(signal).toBe("SIGKILL");
    expect(versionOf(path)).toBe(before);
    await using store = await openSqliteStore({ path });
    await store.addMessage("parent", { role: "user", content: "goes on" });
    expect(await store.verify("parent")).toMatchObject({ ok: true });
    altered(path, (db) => migrate(db, [...MIGRATIONS, NEXT]));
    expect(versionOf(path)).toBe(NEXT.version);
  });
});

test("a newer schema is refused, also by a store that was open before", async () => {
  const path = await copied("version-3.db");
  await using store = await openSqliteStore({ path });
  await store.getSession("parent");
  altered(path, (db) => migrate(db, [...MIGRATIONS, NEXT]));
  const refusal = { code: "FORMAT_UNSUPPORTED", found: NEXT.version, supported: SCHEMA_VERSION };
  const calls = [
    () => store.addMessage("parent", { role: "user", content: "x" }),
    () => store.getSession("parent"),
    () => openSqliteStore({ path }),
  ];
  for (const call of calls) {
    const error = await call().catch((reason: unknown) => reason);
    expect(SessionError.is(error, "FORMAT_UNSUPPORTED")).toBe(true);
    expect(error).toMatchObject(refusal);
  }
});
