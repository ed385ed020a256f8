import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, createStore, systemClock } from "@sessions/protocol/backend";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nodeFileSystem } from "../../src/engine/node-file-system.js";
import { openJsonFileStore, SessionError } from "../../src/index.js";
import { segmentOf } from "../conformance/folder-place.js";
import { openBackend } from "../fixtures/open-backend.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-space-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const say = (content: string): { role: string; content: string } => ({ role: "user", content });

async function sizeOf(session: string): Promise<number> {
  const folder = join(root, "sessions", session);
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe("the room that a session takes", () => {
  test("is given back when most of what it held is gone", async () => {
    await using store = await openJsonFileStore({ root, rotateBytes: 64 * 1024 });
    for (let round = 0; round < 40; round++)
      await store.setChatHistory("s", [say(`${round} ${"y".repeat(8000)}`)]);
    await store.close();
    expect(await sizeOf("s")).toBeLessThan(100_000);
    expect(await readdir(join(root, "sessions", "s"))).toHaveLength(1);
    await using again = await openJsonFileStore({ root });
    expect(await again.getSession("s")).toMatchObject({ revision: 40, messageCount: 1 });
  });

  test("is not rewritten as long as the session needs it", async () => {
    await using store = await openJsonFileStore({ root, rotateBytes: 16 * 1024 });
    for (let index = 0; index < 100; index++) await store.addMessage("s", say("y".repeat(1000)));
    await store.close();
    expect(await readdir(join(root, "sessions", "s"))).toEqual(["1.jsonl"]);
  });

  test("is given back when it is deleted; its revision is not forgotten", async () => {
    await using store = await openJsonFileStore({ root });
    await store.addMessage("s", say("secret ".repeat(10_000)));
    await store.deleteSession("s");
    await store.close();
    expect(await sizeOf("s")).toBeLessThan(1000);
    expect(await readFile(await segmentOf(root, "s"), "utf8")).not.toContain("secret");
    await using again = await openJsonFileStore({ root });
    expect(await again.addMessage("s", say("anew"))).toMatchObject({ revision: 3 });
  });

  test("is given back when it has expired and somebody lists the store", async () => {
    let ahead = 0;
    const clock: Clock = { ...systemClock, now: () => Date.now() + ahead };
    const store = await openJsonFileStore({ root, clock });
    await store.addMessage("s", say("secret ".repeat(10_000)));
    await store.patchSession("s", { expiresAt: Date.now() + 1000 });
    ahead = 30_000;
    expect((await store.listSessions()).items).toEqual([]);
    await store.close();
    expect(await sizeOf("s"), "clocks differ: not at once").toBeGreaterThan(70_000);
    ahead = 120_000;
    const later = await openJsonFileStore({ root, clock });
    expect((await later.listSessions()).items).toEqual([]);
    await later.close();
    expect(await sizeOf("s")).toBeLessThan(1000);
    await using again = await openJsonFileStore({ root, clock });
    expect(await again.addMessage("s", say("anew"))).toMatchObject({ revision: 4 });
  });
});

test("what a killed process was preparing is removed after an hour, and not before", async () => {
  await (await openJsonFileStore({ root })).close();
  const abandoned = join(root, "tmp", "1234-abandoned");
  await mkdir(abandoned);
  await writeFile(join(abandoned, "1.jsonl"), "half a hea");
  const openAt = async (ahead: number): Promise<void> => {
    const clock: Clock = { ...systemClock, now: () => Date.now() + ahead };
    await (await openJsonFileStore({ root, clock })).close();
  };
  await openAt(50 * 60_000);
  expect(await readdir(join(root, "tmp"))).toEqual(["1234-abandoned"]);
  await openAt(70 * 60_000);
  expect(await readdir(join(root, "tmp"))).toEqual([]);
});

test("a journal with a second hard link continues in a new file, and the linked file stays readable", async () => {
  const warnings: string[] = [];
  await using store = await openJsonFileStore({ root, onWarning: ({ code }) => warnings.push(code) });
  await store.addMessage("s", say("one"));
  await store.addMessage("s", say("two"));
  const copy = join(root, "copy.jsonl");
  await link(await segmentOf(root, "s"), copy);
  await store.addMessage("s", say("three"));
  await store.addMessage("s", say("four"));
  expect(warnings).toContain("HARD_LINKS");
  expect(await readFile(copy, "utf8")).not.toContain('"four"');
  expect((await store.getChatHistory("s")).map(({ content }) => content)).toEqual([
    "one",
    "two",
    "three",
    "four",
  ]);
});

test("a failed sync is not repeated: the commit is OUTCOME_UNKNOWN, and the journal continues in a new file", async () => {
  const real = nodeFileSystem({ folder: 0o700, file: 0o600 });
  let failing = false;
  const failed = new Set<number>();
  const fileSystem = {
    ...real,
    async sync(file: number) {
      expect(failed.has(file), "no second sync is believed").toBe(false);
      if (failing) {
        failing = false;
        failed.add(file);
        throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
      }
      await real.sync(file);
    },
    close(file: number) {
      failed.delete(file); // its number may come again
      real.close(file);
    },
  };
  await using store = createStore(await openBackend({ root }, fileSystem));
  await store.addMessage("s", say("one"));
  failing = true;
  const error = await store
    .addMessage("s", say("two"), { commitId: "c2" })
    .catch((thrown: unknown) => thrown);
  expect(SessionError.is(error, "OUTCOME_UNKNOWN") && error.commitId).toBe("c2");
  expect(await store.addMessage("s", say("two"), { commitId: "c2" })).toMatchObject({ duplicate: true });
  await store.addMessage("s", say("three"));
  expect(await segmentOf(root, "s")).toMatch(/2\.jsonl$/);
  await using fresh = await openJsonFileStore({ root });
  expect((await fresh.getChatHistory("s")).map(({ content }) => content)).toEqual(["one", "two", "three"]);
});
