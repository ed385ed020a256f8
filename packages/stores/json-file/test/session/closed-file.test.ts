import { copyFile, mkdtemp, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStore } from "@sessions/protocol/backend";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FileStat, FileSystem } from "../../src/engine/file-system.js";
import { nodeFileSystem } from "../../src/engine/node-file-system.js";
import { openJsonFileStore, SessionError, type SessionStore } from "../../src/index.js";
import { openBackend } from "../fixtures/open-backend.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-closed-file-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const journal = (id: string): string => join(root, "sessions", id, "1.jsonl");

/** The worst case: the new file has the inode of the old one, and was changed in the same step of the clock. */
function reusingInodes(): FileSystem {
  const real = nodeFileSystem({ folder: 0o700, file: 0o600 });
  const alike = (stat: FileStat): FileStat => ({ ...stat, inode: 7, changedAt: 1 });
  return {
    ...real,
    stat: (path) => {
      const stat = real.stat(path);
      return stat && alike(stat);
    },
    statOpen: (file) => alike(real.statOpen(file)),
  };
}

/** A store that keeps states in memory and no file open. */
async function openKeepingStates(fileSystem?: FileSystem): Promise<SessionStore> {
  return createStore(await openBackend({ root, maxOpenFiles: 0 }, fileSystem));
}

async function say(store: SessionStore, id: string, ...contents: readonly string[]): Promise<void> {
  for (const content of contents) await store.addMessage(id, { role: "user", content });
}

/** The messages of a session, or the code with which the store refuses it. */
async function seenBy(store: SessionStore, id = "s"): Promise<unknown> {
  try {
    return (await store.getChatHistory(id)).map(({ content }) => content);
  } catch (error) {
    if (SessionError.is(error)) return error.code;
    throw error;
  }
}

/** What a store sees that has read nothing before. */
async function seenAnew(): Promise<unknown> {
  await using fresh = await openJsonFileStore({ root });
  return seenBy(fresh);
}

async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  await writeFile(`${path}.new`, bytes);
  await rename(`${path}.new`, path);
}

/** What may happen to the journal of `s` while it is closed. `old` is the file as it was after its first message. */
const CHANGES: Readonly<Record<string, (old: Buffer) => Promise<unknown>>> = {
  "another session's journal has its name": () => copyFile(journal("other"), journal("s")),
  "another session's journal was moved there": () => rename(journal("other"), journal("s")),
  "an older copy of itself was written over it": (old) => writeFile(journal("s"), old),
  "an older copy of itself was moved there": (old) => replaceFile(journal("s"), old),
  "it was cut and has grown to the same length in another way": async (old) => {
    const { length } = await readFile(journal("s"));
    await replaceFile(journal("s"), old);
    await using elsewhere = await openJsonFileStore({ root });
    await say(elsewhere, "s", "anew");
    const text = (await readFile(journal("s"))).length;
    if (text < length) await writeFile(journal("s"), Buffer.alloc(length - text, "x"), { flag: "a" });
  },
  "it was cut, and others have appended more than was cut": async (old) => {
    await truncate(journal("s"), old.length);
    await using elsewhere = await openJsonFileStore({ root });
    await say(elsewhere, "s", "anew", "and", "again", "and".repeat(200));
  },
  "its header is another one": async () => {
    const bytes = await readFile(journal("s"));
    const at = bytes.indexOf('"salt":"') + '"salt":"'.length;
    bytes[at] = bytes[at] === 48 ? 49 : 48;
    await writeFile(journal("s"), bytes);
  },
  "others have appended to it": async () => {
    await using elsewhere = await openJsonFileStore({ root });
    await say(elsewhere, "s", "by another store");
  },
  "others have rotated it": async () => {
    await using elsewhere = await openJsonFileStore({ root, rotateBytes: 0 });
    await say(elsewhere, "s", "by another store");
  },
  "its folder was removed": () => rm(join(root, "sessions", "s"), { recursive: true }),
  "it is as it was": () => Promise.resolve(),
};

describe.each([
  ["", () => undefined],
  [", with the same inode and time", reusingInodes],
])("a state in memory whose file was closed%s", (_how, fileSystemOf) => {
  test.each(Object.entries(CHANGES))("is not read from without a comparison: %s", async (_name, change) => {
    await using store = await openKeepingStates(fileSystemOf());
    await say(store, "s", "one");
    const old = await readFile(journal("s"));
    await say(store, "s", "two", "three");
    await say(store, "other", "a", "b", "c", "d".repeat(2_000));
    expect(await seenBy(store)).toEqual(["one", "two", "three"]);
    await change(old);
    expect(await seenBy(store)).toEqual(await seenAnew());
  });

  test.each(Object.entries(CHANGES))(
    "is not committed to without a comparison: %s",
    async (_name, change) => {
      await using store = await openKeepingStates(fileSystemOf());
      await say(store, "s", "one");
      const old = await readFile(journal("s"));
      await say(store, "s", "two", "three");
      await say(store, "other", "a", "b", "c", "d".repeat(2_000));
      await change(old);
      const before = await seenAnew();
      const written = await say(store, "s", "four").then(
        () => "acknowledged",
        (error: unknown) => (SessionError.is(error) ? error.code : error),
      );
      const after = await seenAnew();
      if (written === "acknowledged")
        expect(after).toEqual([...(Array.isArray(before) ? before : []), "four"]);
      else expect([written, after]).toEqual([before, before]);
      expect(await seenBy(store)).toEqual(after);
    },
  );
});

test("a copy that has replaced the file is synced before an answer depends on it", async () => {
  const real = nodeFileSystem({ folder: 0o700, file: 0o600 });
  let syncs = 0;
  const sync = (file: number): Promise<void> => {
    syncs++;
    return real.sync(file);
  };
  await using store = await openKeepingStates({ ...real, sync });
  const message = { id: "m", role: "user" };
  await store.addMessage("s", message, { commitId: "c" });
  await say(store, "s", "two");
  await replaceFile(journal("s"), await readFile(journal("s")));
  syncs = 0;
  expect(await store.addMessage("s", message, { commitId: "c" })).toMatchObject({ duplicate: true });
  expect(syncs).toBe(1);
});

test("a store that keeps no file open and no state sees what one sees that keeps them all", async () => {
  const action = fc.oneof(
    fc.record({ kind: fc.constant("say"), by: fc.nat(2), to: fc.nat(3), content: fc.string() }),
    fc.record({ kind: fc.constant("read"), by: fc.nat(2), to: fc.nat(3) }),
    fc.record({ kind: fc.constant("clear"), by: fc.nat(2), to: fc.nat(3) }),
    fc.record({ kind: fc.constant("delete"), by: fc.nat(2), to: fc.nat(3) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      const folder = await mkdtemp(join(root, "run-"));
      const durability = "relaxed";
      const stores = [
        await openJsonFileStore({ root: folder, durability }),
        await openJsonFileStore({ root: folder, durability, maxOpenFiles: 1, cacheBytes: 10_000 }),
        await openJsonFileStore({ root: folder, durability, maxOpenFiles: 0, cacheBytes: 0, rotateBytes: 0 }),
      ] as const;
      for (const action of actions) {
        const [store, id] = [stores[action.by] ?? stores[0], `s${action.to}`];
        if ("content" in action) await store.addMessage(id, { role: "user", content: action.content });
        else if (action.kind === "clear") await store.clearSession(id);
        else if (action.kind === "delete") await store.deleteSession(id);
        const [all, some, none] = [
          await stores[0].getSession(id),
          await stores[1].getSession(id),
          await stores[2].getSession(id),
        ];
        expect([some, none]).toEqual([all, all]);
      }
      for (const store of stores) await store.close();
    }),
    { numRuns: 25 },
  );
});
