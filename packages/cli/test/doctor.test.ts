import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openJsonFileStore } from "@sessions/json-file";
import { openSqliteStore } from "@sessions/sqlite";
import { describe, expect, test } from "vitest";
import { fillCorpus } from "./corpus.js";
import { type Damage, damages, gone, MESSAGES, traces } from "./damage.js";
import { sessions, sessionsJson, temporaryFolder } from "./run-sessions.js";

/** A store with one damaged session, a fork of it, and one that has nothing to do with it. */
async function damagedStore({ plant }: Damage): Promise<string> {
  const cwd = await temporaryFolder();
  const store = await openJsonFileStore({ root: join(cwd, "store"), durability: "relaxed" });
  for (const id of ["bystander", "s"])
    for (let n = 1; n <= MESSAGES; n++)
      await store.addMessage(id, { id: `m${n}`, role: "user", content: `message ${n}` });
  await store.forkSession("s", { newId: "fork" });
  await store.close();
  await plant(join(cwd, "store/sessions/s"));
  return cwd;
}

/** Every byte of every file below a folder. */
async function bytesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digests = files.map(
    async (file) =>
      [
        file,
        createHash("sha256")
          .update(await readFile(file))
          .digest("hex"),
      ] as const,
  );
  return new Map(await Promise.all(digests));
}

const STORE = ["--store", "file:./store"];
const idsOf = (numbers: readonly number[]): readonly string[] => numbers.map((n) => `m${n}`);

test("there are at least 20 kinds of damage", () => {
  expect(new Set(damages.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
});

describe.each(damages)("$name", (damage) => {
  test("is found, and nothing is changed; --fix saves every whole commit, and keeps every byte", async () => {
    const cwd = await damagedStore(damage);
    const before = await bytesOf(join(cwd, "store"));
    const [found] = await sessionsJson(["doctor", ...STORE], { cwd }, 4);
    expect(found).toMatchObject({
      sessions: 3,
      healthy: true,
      damaged: [{ sessionId: "s", status: "damaged" }],
    });
    expect(await bytesOf(join(cwd, "store")), "to look harms nothing").toEqual(before);

    const [fixed] = await sessionsJson(
      ["doctor", "--fix", "--yes", ...STORE],
      { cwd },
      damage.saved.length === 0 ? 4 : 0,
    );
    const status = damage.saved.length === 0 ? "put-away" : "restored";
    expect(fixed).toMatchObject({ damaged: [{ sessionId: "s", repaired: { status } }] });
    const digests = [...(await bytesOf(join(cwd, "store/quarantine"))).values()];
    const damagedJournal = before.get(join(cwd, "store/sessions/s/1.jsonl"));
    expect(digests, "every byte is kept").toContain(damagedJournal);

    await using store = await openJsonFileStore({ root: join(cwd, "store") });
    expect((await store.getChatHistory("s")).map(({ id }) => id).toSorted()).toEqual(idsOf(damage.saved));
    expect((await store.getChatHistory("bystander")).map(({ id }) => id)).toEqual(idsOf([1, 2, 3, 4, 5, 6]));
    if (damage.saved.length > 0) {
      // Which life it was is in its first commit.
      const forks = damage.saved.includes(1) ? ["fork"] : [];
      expect(
        (await store.getChildren("s")).map(({ id }) => id),
        "its fork finds it",
      ).toEqual(forks);
      await store.addMessage("s", { role: "user", content: "goes on" });
    }
    await store.close();
    const [again] = await sessionsJson(["doctor", ...STORE], { cwd });
    expect(again).toMatchObject({ damaged: [] });
  });
});

test.each(traces)("$name is benign, and --fix has nothing to do", async (damage) => {
  const cwd = await damagedStore(damage);
  const before = await bytesOf(join(cwd, "store"));
  const [found] = await sessionsJson(["doctor", "--fix", "--yes", ...STORE], { cwd });
  expect(found).toMatchObject({ sessions: 3, damaged: [] });
  expect(await bytesOf(join(cwd, "store"))).toEqual(before);
  await using store = await openJsonFileStore({ root: join(cwd, "store") });
  expect((await store.getChatHistory("s")).map(({ id }) => id)).toEqual(idsOf(damage.saved));
});

test("a journal that is gone is told, and left to a backup", async () => {
  const cwd = await damagedStore(gone);
  const before = await bytesOf(join(cwd, "store"));
  const [found] = await sessionsJson(["doctor", "--fix", "--yes", ...STORE], { cwd }, 4);
  expect(found).toMatchObject({ damaged: [{ sessionId: "s", repaired: { status: "put-away" } }] });
  expect(await bytesOf(join(cwd, "store"))).toEqual(before);
});

test.each(["file:./store", "sqlite:./store.db"])("a healthy store has nothing: %s", async (url) => {
  const cwd = await temporaryFolder();
  await using store = url.startsWith("file")
    ? await openJsonFileStore({ root: join(cwd, "store"), durability: "relaxed" })
    : await openSqliteStore({ path: join(cwd, "store.db") });
  await fillCorpus(store, 60);
  const [found] = await sessionsJson(["doctor", "--store", url], { cwd });
  expect(found).toMatchObject({ healthy: true, sessions: 60, benign: [], damaged: [] });
  const { code, stdout } = await sessions(["doctor", "--store", url], { cwd });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "All 60 sessions are sound.\n" });
});

test("damaged rows in SQLite: what can be read is saved beside the damaged session", async () => {
  const cwd = await temporaryFolder();
  const path = join(cwd, "store.db");
  const store = await openSqliteStore({ path });
  for (const id of ["bystander", "s", "t"])
    for (let n = 1; n <= MESSAGES; n++)
      await store.addMessage(id, { id: `${id}${n}`, role: "user", content: `message ${n}` });
  await store.close();
  const file = await readFile(path);
  await spoil(path, file);
  const url = ["--store", "sqlite:./store.db"];
  const [found] = await sessionsJson(["doctor", ...url], { cwd }, 4);
  expect(found).toMatchObject({ sessions: 3, damaged: [{ sessionId: "s" }] });
  const [fixed] = await sessionsJson(["doctor", "--fix", "--yes", ...url], { cwd });
  expect(fixed).toMatchObject({
    damaged: [{ repaired: { status: "saved", savedAs: "s.salvaged", messages: 5 } }],
  });
  await using again = await openSqliteStore({ path });
  expect((await again.getChatHistory("s.salvaged")).map(({ id }) => id)).toEqual([
    "s1",
    "s2",
    "s4",
    "s5",
    "s6",
  ]);
  expect(await again.getChatHistory("bystander")).toHaveLength(MESSAGES);
});

/** Changes one letter of one message, in the file itself. */
async function spoil(path: string, file: Buffer): Promise<void> {
  const at = file.indexOf("s3");
  const near = file.indexOf("message 3", Math.max(0, at - 200));
  file[near] = 0x4d;
  await writeFile(path, file);
}
