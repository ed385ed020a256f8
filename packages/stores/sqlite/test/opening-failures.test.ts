import { existsSync } from "node:fs";
import { chmod, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { openSqliteStore, SessionError } from "../src/index.js";
import { openSqliteBackend } from "../src/maintenance.js";
import { said, started } from "./other-process.js";
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
      expect(error).toMatchObject({ code, retryable: false, message: expect.stringMatching(/\w+ \w+ \w+/) });
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

  test.each(["sqlite:./no-such.db", "SQLite:no-such.db", "file:./no-such.db"])(
    "the URL %s is refused with what opens URLs, and no folder of that name is made",
    async (path) => {
      expect(await refusal(() => openSqliteStore({ path }))).toMatchObject({
        code: "INVALID_ARGUMENT",
        path: "options.path",
        message: `options.path must be a path such as ./sessions.db, not a URL: ${path}. openStore of @sessions/config opens URLs.`,
      });
      expect(existsSync(dirname(path) === "." ? path : dirname(path))).toBe(false);
    },
  );

  // In another process: one that made folders without end would hold up this one for ever.
  test.runIf(process.platform === "linux").each([
    ["/proc/sessions.db", "/proc/sessions.db"],
    ["/proc/sessions/a/sessions.db", "/proc/sessions"],
  ])("%s, in a folder of the system that takes nothing new", async (path, refused) => {
    expect(await said(started("./open-as-user.mjs", { path }))).toMatchObject({
      code: "STORE_UNAVAILABLE",
      retryable: false,
      message: `${refused} cannot be made: /proc takes no new files or folders. Name a file elsewhere.`,
    });
  });

  test("a link that leads nowhere in the place of its folder", async () => {
    const link = join(dirname(await temporaryPath()), "link");
    await symlink(`${link}-elsewhere`, link);
    expect(await refusal(() => openSqliteStore({ path: join(link, "sessions.db") }))).toMatchObject({
      code: "STORE_UNAVAILABLE",
      retryable: false,
      message: `${link} is a link that leads nowhere. Put back what it led to, or name a file elsewhere.`,
    });
  });

  test("folders on the path that are missing are made", async () => {
    const path = join(dirname(await temporaryPath()), "a", "b", "sessions.db");
    await using store = await openSqliteStore({ path });
    expect(await store.sessionExists("s")).toBe(false);
  });
});

describe("a place that this process may not write to is refused with what to do, and nothing is made there", () => {
  /** What opening fails with, for a user for whom modes count. */
  async function refusalOfUser(path: string): Promise<unknown> {
    return said(started("./open-as-user.mjs", { path }));
  }

  test.each(["sessions.db", "a/sessions.db"])("a folder without a database: %s", async (name) => {
    const folder = dirname(await temporaryPath());
    await chmod(folder, 0o555);
    const path = join(folder, name);
    expect(await refusalOfUser(path)).toMatchObject({
      code: "STORE_UNAVAILABLE",
      retryable: false,
      message: `This process may not write to ${path} and its folder (EACCES). Give it the right to both, or name a file elsewhere.`,
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test.each<[string, number, number]>([
    ["a database of another user", 0o777, 0o600],
    ["a database in a folder that is closed", 0o555, 0o666],
  ])("%s", async (_name, folderMode, fileMode) => {
    const path = await temporaryPath();
    await (await openSqliteStore({ path })).close();
    await chmod(path, fileMode);
    await chmod(dirname(path), folderMode);
    expect(await refusalOfUser(path)).toMatchObject({
      code: "STORE_UNAVAILABLE",
      retryable: false,
      message: expect.stringContaining(`may not write to ${path} and its folder (EACCES)`),
    });
  });
});

test("a database that this process may only read is opened, and its first write is refused", async () => {
  const path = await temporaryPath();
  await using store = await openSqliteStore({ path });
  await store.addMessage("s", { role: "user", content: "one" });
  await chmod(path, 0o644);
  await chmod(dirname(path), 0o777);
  for (const suffix of ["-wal", "-shm"]) await chmod(`${path}${suffix}`, 0o666);
  const user = started("./open-as-user.mjs", { path, write: true });
  expect(await said(user)).toMatchObject({
    code: "STORE_UNAVAILABLE",
    retryable: false,
    message: expect.stringContaining(`may not write to ${path}`),
  });
  expect(await store.getChatHistory("s")).toHaveLength(1);
});

test("a file that is no database is said to be none, and stays as it is", async () => {
  const path = await temporaryPath();
  const text = "these are notes, and no database".repeat(200);
  await writeFile(path, text);
  await expect(openSqliteStore({ path })).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    retryable: false,
    message: expect.stringContaining(`${path} is not an SQLite database`),
  });
  expect(await readFile(path, "utf8")).toBe(text);
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
