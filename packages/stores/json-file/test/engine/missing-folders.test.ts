import { existsSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openJsonFileStore, type SessionStore } from "../../src/index.js";
import { quarantineSession } from "../../src/maintenance.js";

let root: string;
let store: SessionStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-missing-"));
  store = await openJsonFileStore({ root });
  await store.addMessage("s", { role: "user", content: "short" });
});

afterEach(async () => {
  await store.close();
  await rm(root, { recursive: true, force: true });
});

const long = { role: "user", content: "x".repeat(100_000) };

test("a long write makes the folder of locks again", async () => {
  await rm(join(root, "locks"), { recursive: true });
  await store.addMessage("s", long);
  await Promise.all([store.addMessage("s", long), store.addMessage("t", long)]);
  expect(await store.getChatHistory("s")).toHaveLength(3);
  expect((await stat(join(root, "locks"))).mode & 0o777).toBe(0o700);
  expect((await store.describe()).warnings).toEqual([]);
});

test("a rotation makes the folder of locks again", async () => {
  await using rotating = await openJsonFileStore({ root, rotateBytes: 0 });
  await rm(join(root, "locks"), { recursive: true });
  await rotating.addMessage("s", long);
  await rotating.close();
  expect(await readdir(join(root, "sessions", "s"))).toEqual(["2.jsonl"]);
  expect((await store.describe()).warnings).toEqual([]);
});

test("a new session makes the folder tmp again", async () => {
  await rm(join(root, "tmp"), { recursive: true });
  await store.addMessage("new", long);
  expect(await store.getChatHistory("new")).toHaveLength(1);
});

test("a store is opened and repaired without its helping folders", async () => {
  for (const folder of ["tmp", "locks", "quarantine"]) await rm(join(root, folder), { recursive: true });
  await using again = await openJsonFileStore({ root });
  await again.addMessage("s", long);
  await expect(quarantineSession({ root, sessionId: "s" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect((await readdir(root)).toSorted()).toEqual(expect.arrayContaining(["locks", "quarantine", "tmp"]));
});

const gone = { code: "STORE_UNAVAILABLE", message: expect.stringContaining("sessions is missing") };

test("a missing folder of sessions is an error, not an empty store, and is not made again", async () => {
  await rename(join(root, "sessions"), join(root, "elsewhere"));
  for (const call of [
    () => store.getSession("s"),
    () => store.sessionExists("t"),
    () => store.listSessions(),
    () => store.addMessage("s", long),
    () => store.addMessage("t", long),
    () => openJsonFileStore({ root }),
  ]) {
    await expect(call()).rejects.toMatchObject(gone);
    expect(existsSync(join(root, "sessions"))).toBe(false);
  }
  expect(await store.describe()).toMatchObject({ healthy: false });
  await rename(join(root, "elsewhere"), join(root, "sessions"));
  expect(await store.getChatHistory("s")).toHaveLength(1);
});

test("a store that has lost its format.json is refused, and none is written beside its sessions", async () => {
  await rm(join(root, "format.json"));
  await expect(openJsonFileStore({ root })).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringContaining("format.json"),
  });
  expect(existsSync(join(root, "format.json"))).toBe(false);
});
