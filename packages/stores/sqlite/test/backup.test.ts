import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { type BackupProgress, openSqliteStore, type SqliteStore } from "../src/index.js";
import { said, started } from "./other-process.js";
import { temporaryPath } from "./temporary.js";

async function filled(path: string): Promise<SqliteStore> {
  const store = await openSqliteStore({ path });
  for (let n = 0; n < 10; n++) {
    const messages = Array.from({ length: 200 }, (_, m) => ({
      role: "user",
      content: `${n} ${m} `.repeat(50),
    }));
    await store.addMessage("s", messages);
  }
  return store;
}

test("a backup is a store of its own, made while others write", async () => {
  const path = await temporaryPath();
  await using store = await filled(path);
  const target = await temporaryPath();
  const writer = started("./append-in-process.mjs", { path, name: "p", count: 200, sessions: ["t"] });
  await said(writer);
  const ended = once(writer, "exit");
  writer.send("go");
  const progress: BackupProgress[] = [];
  await store.backupTo(target, { onProgress: (step) => void progress.push(step) });
  expect(await ended).toEqual([0, null]);
  expect(progress.length).toBeGreaterThan(1);
  await store.addMessage("s", { role: "user", content: "not in the backup" });
  await using copy = await openSqliteStore({ path: target });
  expect(await copy.getChatHistory("s")).toHaveLength(2000);
  expect(await copy.verify("s")).toMatchObject({ ok: true });
  expect(await readdir(dirname(target))).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/\.part$/)]),
  );
});

test("a backup that is given up leaves nothing, and never overwrites", async () => {
  await using store = await filled(await temporaryPath());
  const target = await temporaryPath();
  const given = new AbortController();
  const backup = store.backupTo(target, {
    signal: given.signal,
    onProgress: () => given.abort(new Error("enough")),
  });
  await expect(backup).rejects.toThrow("enough");
  expect(await readdir(dirname(target))).toEqual([]);
  await store.backupTo(target);
  await expect(store.backupTo(target)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await store.close();
  await expect(store.backupTo(await temporaryPath())).rejects.toMatchObject({ code: "STORE_CLOSED" });
});
