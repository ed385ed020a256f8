import { chmod, link, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openJsonFileStore, type SessionStore } from "../../src/index.js";
import { segmentOf } from "../conformance/folder-place.js";
import { CALLS } from "../fixtures/every-call.js";
import { type Faults, openFailing } from "../fixtures/failing-file-system.js";
import { spoil } from "../fixtures/spoil.js";
import { OtherProcess } from "../processes/other-process.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-warm-damage-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const corrupted = { code: "SESSION_CORRUPTED" };

async function say(store: SessionStore, ...contents: readonly string[]): Promise<void> {
  for (const content of contents) await store.addMessage("s", { role: "user", content });
}

describe("one byte that is changed in what an open store has read and written", () => {
  test.each(CALLS)("is noticed by the next %s", async (_name, call) => {
    await using store = await openJsonFileStore({ root });
    await say(store, "<one>", "<two>", "<three>");
    expect(await store.getChatHistory("s")).toHaveLength(3);
    const path = await segmentOf(root, "s");
    await spoil(path, "<two>");
    const bytes = await readFile(path);
    for (let time = 0; time < 2; time++) await expect(call(store)).rejects.toMatchObject(corrupted);
    expect(await readFile(path), "nothing was written to it").toEqual(bytes);
  });

  test("is noticed by the next commit of a store that has only written", async () => {
    await using store = await openJsonFileStore({ root });
    await say(store, "<one>", "<two>", "<three>");
    const path = await segmentOf(root, "s");
    await spoil(path, "<three>");
    await expect(say(store, "lost")).rejects.toMatchObject(corrupted);
  });

  test("is noticed by the next list, which leaves the session out", async () => {
    await using store = await openJsonFileStore({ root });
    await say(store, "<one>", "<two>");
    expect((await store.listSessions()).items).toHaveLength(1);
    await spoil(await segmentOf(root, "s"), "<one>");
    expect((await store.listSessions()).items).toEqual([]);
  });

  test("is noticed behind what another store has appended", async () => {
    await using store = await openJsonFileStore({ root });
    await using other = await openJsonFileStore({ root });
    await say(store, "<one>", "<two>");
    await say(other, "<three>");
    await spoil(await segmentOf(root, "s"), "<one>");
    await expect(say(store, "lost")).rejects.toMatchObject(corrupted);
    await expect(store.getSession("s")).rejects.toMatchObject(corrupted);
  });

  test("is noticed in a journal of more than 256 KiB", async () => {
    await using store = await openJsonFileStore({ root });
    await say(store, "<one>", "x".repeat(300_000), "<three>");
    await spoil(await segmentOf(root, "s"), "<one>");
    await expect(say(store, "lost")).rejects.toMatchObject(corrupted);
  });

  test("is noticed soon by each of two stores that write in turn", async () => {
    await using one = await openJsonFileStore({ root, durability: "relaxed" });
    await using two = await openJsonFileStore({ root, durability: "relaxed" });
    await say(one, "<one>", "x".repeat(300_000));
    for (let n = 0; n < 20; n++) await say(n % 2 === 0 ? one : two, `${n}`);
    await spoil(await segmentOf(root, "s"), "<one>");
    await expect(say(two, "lost"), "the last that wrote").rejects.toMatchObject(corrupted);
    await expect.poll(() => one.getSession("s").catch((error: unknown) => error)).toMatchObject(corrupted);
  });

  test("is noticed by every open store, and no longer once it is put right", async () => {
    await using store = await openJsonFileStore({ root });
    await using other = await openJsonFileStore({ root });
    await say(store, "<one>", "<two>");
    expect(await other.getChatHistory("s")).toHaveLength(2);
    const path = await segmentOf(root, "s");
    await spoil(path, "<one>");
    for (const each of [store, other]) await expect(say(each, "lost")).rejects.toMatchObject(corrupted);
    await spoil(path, "=one>", -1);
    for (const each of [store, other]) await say(each, "more");
    expect(await store.getChatHistory("s")).toHaveLength(4);
  });
});

/** A store, and how often it has begun to read a journal from its start, and how many bytes it has read. */
async function counted(): Promise<{
  readonly store: SessionStore;
  readonly count: { folds: number; bytes: number };
}> {
  const count = { folds: 0, bytes: 0 };
  const faults: Faults = {
    open: (real, path, writable) => {
      if (path.endsWith(".jsonl")) count.folds++;
      return real(path, writable);
    },
    read: (real, file, from, length) => {
      count.bytes += length;
      return real(file, from, length);
    },
  };
  return { store: await openFailing({ root, durability: "relaxed" }, faults), count };
}

describe("a journal is not read from its start again", () => {
  test("by a thousand appends of one store, which read nothing at all", async () => {
    const { store, count } = await counted();
    await using _closed = store;
    await say(store, "first");
    await store.getSession("s");
    count.bytes = 0;
    for (let n = 0; n < 1000; n++) await say(store, `${n}`);
    expect(count).toEqual({ folds: 1, bytes: 0 });
    expect((await store.getSession("s"))?.revision).toBe(1001);
  });

  test("by the appends of two stores in turn", async () => {
    const [one, two] = [await counted(), await counted()];
    await using _one = one.store;
    await using _two = two.store;
    for (let n = 0; n < 200; n++) await say((n % 2 === 0 ? one : two).store, `${n}`);
    expect([one.count.folds, two.count.folds]).toEqual([1, 1]);
  });

  test("while another process appends to it", async () => {
    const { store, count } = await counted();
    await using _closed = store;
    await say(store, "first");
    const other = new OtherProcess("write-in-process.mjs", { root, sessions: ["s"], rounds: 300 });
    const ended = other.end();
    for (let n = 0; n < 300; n++) await say(store, `${n}`);
    await ended;
    expect((await store.getSession("s"))?.revision).toBe(601);
    expect(count.folds).toBe(1);
  });

  test("because its time was moved by a new mode, or by a write of what stood there", async () => {
    const { store, count } = await counted();
    await using _closed = store;
    await say(store, "<one>", "<two>");
    const path = await segmentOf(root, "s");
    await chmod(path, 0o640);
    await spoil(path, "<one>", 0);
    for (let n = 0; n < 10; n++) await say(store, `${n}`);
    expect(count.folds).toBe(1);
    expect(await store.getChatHistory("s")).toHaveLength(12);
  });
});

test("a second name is noticed before the next write, which reaches only one of the two", async () => {
  await using store = await openJsonFileStore({ root });
  await say(store, "<one>");
  await store.getSession("s");
  const path = await segmentOf(root, "s");
  await link(path, join(root, "copy"));
  await spoil(path, "<one>", 0);
  const before = await readFile(join(root, "copy"), "utf8");
  await say(store, "<two>");
  expect(await readFile(join(root, "copy"), "utf8")).not.toContain("<two>");
  expect(before).toContain("<one>");
  expect(await store.getChatHistory("s")).toHaveLength(2);
});
