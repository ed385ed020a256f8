import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openSqliteBackend, openSqliteStore } from "../src/open-sqlite-store.js";
import { temporaryPath } from "./temporary.js";

type Loose = (options: unknown) => Promise<unknown>;

test.each([
  ["openSqliteStore", openSqliteStore as Loose],
  ["openSqliteBackend", openSqliteBackend as Loose],
])("%s rejects what is no options object and makes nothing", async (_, open) => {
  const path = await temporaryPath();
  const bad = [
    null,
    undefined,
    5,
    "x",
    [],
    new Map(),
    {},
    { path: 5 },
    { path, database: {} },
    { path, serch: true },
  ];
  for (const options of bad)
    await expect(open(options), JSON.stringify(options)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(existsSync(path)).toBe(false);
});

test("backupTo rejects bad options and paths that no file can be made at", async () => {
  const path = await temporaryPath();
  await using store = await openSqliteStore({ path });
  const target = join(dirname(path), "copy.db");
  const backupTo = store.backupTo as (path: unknown, options?: unknown) => Promise<void>;
  for (const options of [null, 5, [], { onProgres: () => undefined }, { signal: {} }])
    await expect(backupTo(target, options)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  for (const bad of [undefined, 5, "", "a\0b", join(dirname(path), "missing", "copy.db")])
    await expect(backupTo(bad)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(existsSync(target)).toBe(false);
});

test("backupTo rejects with what the caller's function threw", async () => {
  const path = await temporaryPath();
  await using store = await openSqliteStore({ path });
  const thrown = new TypeError("mine");
  const onProgress = (): void => {
    throw thrown;
  };
  await expect(store.backupTo(join(dirname(path), "copy.db"), { onProgress })).rejects.toBe(thrown);
});
