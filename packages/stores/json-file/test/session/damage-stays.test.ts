import { EventEmitter, once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openJsonFileStore } from "../../src/index.js";
import { segmentOf } from "../conformance/folder-place.js";
import { CALLS } from "../fixtures/every-call.js";
import { type Faults, openFailing } from "../fixtures/failing-file-system.js";
import { spoil } from "../fixtures/spoil.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-damage-stays-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const say = (content: string): { role: string; content: string } => ({ role: "user", content });

async function written(...contents: readonly string[]): Promise<string> {
  await using store = await openJsonFileStore({ root });
  for (const content of contents) await store.addMessage("s", say(content));
  return segmentOf(root, "s");
}

const corrupted = { code: "SESSION_CORRUPTED" };

describe("a session with one spoilt byte", () => {
  let path: string;
  let bytes: Buffer;

  beforeEach(async () => {
    path = await written("<one>", "<two>", "<three>", "<four>");
    await spoil(path, "<two>");
    bytes = await readFile(path);
  });

  test.each(CALLS)("is refused by the first and by every later %s", async (_name, call) => {
    await using store = await openJsonFileStore({ root });
    const location = expect.stringContaining(`${path} at byte `);
    for (let time = 0; time < 3; time++)
      await expect(call(store)).rejects.toMatchObject({ ...corrupted, location });
    expect(await readFile(path), "nothing was written to it").toEqual(bytes);
    await expect(store.getSession("s")).rejects.toMatchObject(corrupted);
  });

  test("is refused whatever was called before", async () => {
    await using store = await openJsonFileStore({ root });
    for (const [, call] of [...CALLS, ...CALLS.toReversed()])
      await expect(call(store)).rejects.toMatchObject(corrupted);
    expect(await readFile(path)).toEqual(bytes);
  });

  test("is refused by concurrent calls", async () => {
    await using store = await openJsonFileStore({ root });
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? store.getSession("s") : store.addMessage("s", say("lost")),
      ),
    );
    expect(settled.map((one) => (one.status === "rejected" ? one.reason.code : one.value))).toEqual(
      settled.map(() => "SESSION_CORRUPTED"),
    );
    expect(await readFile(path)).toEqual(bytes);
  });

  test("is left out of every list and found by every verify", async () => {
    await using store = await openJsonFileStore({ root });
    await store.addMessage("t", say("sound"));
    for (let time = 0; time < 3; time++) {
      expect((await store.listSessions()).items.map(({ id }) => id)).toEqual(["t"]);
      expect(await store.verify("s")).toMatchObject({ ok: false, revision: 1, messages: 1 });
    }
  });

  test("is not rewritten, not even by a store that rewrites after every commit", async () => {
    const store = await openJsonFileStore({ root, rotateBytes: 0 });
    for (let time = 0; time < 3; time++)
      await expect(store.addMessage("s", say("lost"))).rejects.toMatchObject(corrupted);
    await store.close();
    expect(await segmentOf(root, "s")).toBe(path);
    expect(await readFile(path)).toEqual(bytes);
  });

  test("is served again once its byte is put right in place, and once its file is replaced", async () => {
    await using store = await openJsonFileStore({ root });
    await expect(store.getSession("s")).rejects.toMatchObject(corrupted);
    await spoil(path, "=two>", -1);
    expect(await store.getChatHistory("s")).toHaveLength(4);
    await store.addMessage("s", say("<five>"));
    await rm(path);
    await writeFile(path, bytes);
    await expect(store.getSession("s")).rejects.toMatchObject(corrupted);
    await expect(store.getSession("s")).rejects.toMatchObject(corrupted);
  });
});

test("damage behind what an open store has read is refused by every later call of it", async () => {
  await using store = await openJsonFileStore({ root });
  await using other = await openJsonFileStore({ root });
  await store.addMessage("s", say("<one>"));
  expect(await store.getChatHistory("s")).toHaveLength(1);
  for (const content of ["<two>", "<three>"]) await other.addMessage("s", say(content));
  await spoil(await segmentOf(root, "s"), "<two>");
  for (let time = 0; time < 3; time++) {
    await expect(store.getSession("s")).rejects.toMatchObject(corrupted);
    await expect(store.addMessage("s", say("lost"))).rejects.toMatchObject(corrupted);
    expect((await store.listSessions()).items).toEqual([]);
  }
});

test("damage that verify finds in what an open store has read is refused by its later calls", async () => {
  await using store = await openJsonFileStore({ root });
  for (const content of ["<one>", "<two>", "<three>"]) await store.addMessage("s", say(content));
  expect((await store.listSessions()).items).toHaveLength(1);
  await spoil(await segmentOf(root, "s"), "<two>");
  expect(await store.verify("s")).toMatchObject({ ok: false });
  for (let time = 0; time < 2; time++) {
    await expect(store.getSession("s")).rejects.toMatchObject(corrupted);
    await expect(store.addMessage("s", say("lost"))).rejects.toMatchObject(corrupted);
    expect((await store.listSessions()).items).toEqual([]);
  }
});

test("a commit under way while damage is found settles, and the next one is refused", async () => {
  const faults: Faults = {};
  await using store = await openFailing({ root }, faults);
  for (const content of ["<one>", "<two>"]) await store.addMessage("s", say(content));
  const disk = new EventEmitter();
  const written = once(disk, "written");
  faults.sync = async (real, file) => {
    const allowed = once(disk, "allowed");
    disk.emit("written");
    await allowed;
    return real(file);
  };
  const inFlight = store.addMessage("s", say("<three>"));
  await written;
  await spoil(await segmentOf(root, "s"), "<one>");
  expect(await store.verify("s")).toMatchObject({ ok: false });
  delete faults.sync;
  disk.emit("allowed");
  await expect(inFlight).resolves.toMatchObject({ revision: 3 });
  await expect(store.addMessage("s", say("<four>"))).rejects.toMatchObject(corrupted);
});
