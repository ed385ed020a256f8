import { existsSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { openSqliteStore, SessionError } from "../src/index.js";
import { openSqliteBackend } from "../src/maintenance.js";
import { temporaryPath } from "./temporary.js";

/** What opening fails with. A call that throws instead of rejecting is caught here too, and told apart. */
async function refusal(open: () => Promise<unknown>): Promise<unknown> {
  let opening: Promise<unknown>;
  try {
    opening = open();
  } catch (error) {
    throw new Error("it threw instead of rejecting", { cause: error });
  }
  return opening.then(
    () => "no error",
    (error: unknown) => error,
  );
}

/** A path that cannot be opened, by what is wrong with it. */
const UNUSABLE: Readonly<Record<string, readonly [code: string, make: () => Promise<string>]>> = {
  "a link to nothing": [
    "STORE_UNAVAILABLE",
    async () => {
      const path = await temporaryPath();
      await symlink(`${path}-elsewhere`, path);
      return path;
    },
  ],
  "a link to itself": [
    "STORE_UNAVAILABLE",
    async () => {
      const path = await temporaryPath();
      await symlink(path, path);
      return path;
    },
  ],
  "a name that is too long": [
    "STORE_UNAVAILABLE",
    async () => join(dirname(await temporaryPath()), "n".repeat(300)),
  ],
  "a file where a folder should be": [
    "STORE_UNAVAILABLE",
    async () => {
      const path = await temporaryPath();
      await writeFile(path, "text");
      return join(path, "sessions.db");
    },
  ],
  "a NUL in the path": ["INVALID_ARGUMENT", async () => `${await temporaryPath()}\0.db`],
  "no path": ["INVALID_ARGUMENT", async () => ""],
  "a folder": ["INVALID_ARGUMENT", async () => dirname(await temporaryPath())],
  "an empty file": [
    "STORE_UNAVAILABLE",
    async () => {
      const path = await temporaryPath();
      await writeFile(path, "");
      return path;
    },
  ],
  "a file that is no database": [
    "STORE_UNAVAILABLE",
    async () => {
      const path = await temporaryPath();
      await writeFile(path, "these are notes, and no database".repeat(200));
      return path;
    },
  ],
  "a database whose schema cannot be read": [
    "STORE_UNAVAILABLE",
    async () => {
      const path = await temporaryPath();
      await (await openSqliteStore({ path })).close();
      const db = new Database(path);
      db.unsafeMode(true);
      db.pragma("writable_schema = ON");
      db.exec("UPDATE sqlite_schema SET sql = 'CREATE TABLE messages (' WHERE name = 'messages'");
      db.close();
      return path;
    },
  ],
  "a database that lacks a table": [
    "STORE_UNAVAILABLE",
    async () => {
      const path = await temporaryPath();
      await (await openSqliteStore({ path })).close();
      const db = new Database(path);
      db.exec("DROP TABLE extensions");
      db.close();
      return path;
    },
  ],
};

describe("a path that cannot be opened is refused with a SessionError that names it", () => {
  test.each(Object.entries(UNUSABLE))("%s", async (_name, [code, make]) => {
    const path = await make();
    for (const open of [openSqliteStore, openSqliteBackend]) {
      const error = await refusal(() => open({ path }));
      expect(SessionError.is(error), String(error)).toBe(true);
      expect(error).toMatchObject({ code, message: expect.stringMatching(/\w+ \w+ \w+/) });
    }
  });

  test("a path that is no string", async () => {
    // @ts-expect-error -- a number is no path
    const error = await refusal(() => openSqliteStore({ path: 7 }));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", path: "options.path" });
  });

  test.each([":memory:", "file:sessions.db", "file::memory:?cache=shared"])(
    "%s, which SQLite would read as something else than a path",
    async (path) => {
      const error = await refusal(() => openSqliteStore({ path }));
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT", path: "options.path" });
      expect(existsSync(path)).toBe(false);
    },
  );

  test("folders on the path that are missing are made", async () => {
    const path = join(dirname(await temporaryPath()), "a", "b", "sessions.db");
    await using store = await openSqliteStore({ path });
    expect(await store.sessionExists("s")).toBe(false);
  });
});

describe("a backup that cannot be made is refused with a SessionError", () => {
  test.each<[string, string, (folder: string) => string]>([
    ["to a folder that is missing", "INVALID_ARGUMENT", (folder) => join(folder, "missing", "copy.db")],
    ["to a name that is too long", "STORE_UNAVAILABLE", (folder) => join(folder, "n".repeat(300))],
    ["to a path with a NUL", "INVALID_ARGUMENT", (folder) => join(folder, "a\0b")],
    ["to a folder", "INVALID_ARGUMENT", (folder) => folder],
    ["to no path", "INVALID_ARGUMENT", () => ""],
  ])("%s", async (_name, code, target) => {
    const path = await temporaryPath();
    await using store = await openSqliteStore({ path });
    const error = await refusal(() => store.backupTo(target(dirname(path))));
    expect(SessionError.is(error), String(error)).toBe(true);
    expect(error).toMatchObject({ code });
  });
});
