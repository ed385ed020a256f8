import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MessageInput, openSqliteStore, type SqliteStore } from "../src/index.js";
import { connected, temporaryPath } from "./temporary.js";

const LENGTHS = [100, 100_000] as const;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sessions-rows-"));
  for (const length of LENGTHS) {
    await using store = await openSqliteStore({ path: join(folder, `${length}.db`) });
    for (let from = 1; from <= length; from += 5000) {
      await store.addMessage("s", numbered(Math.min(5000, length - from + 1), from));
    }
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function numbered(count: number, from: number): MessageInput[] {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index;
    return { id: `m${n}`, role: "user", content: `${n}` };
  });
}

const fresh = (content: string): MessageInput => ({ role: "user", content });

type Deed = (store: SqliteStore) => Promise<unknown>;

const deeds: Readonly<Record<string, Deed>> = {
  "an append": (store) => store.addMessage("s", fresh("x")),
  "a snapshot": (store) => store.createSnapshot("s", "mark"),
  "an archive": (store) => store.archiveMessages("s", { keepRecent: 10 }),
  "a fork": (store) => store.forkSession("s", { newId: "f" }),
  "a fork in the middle": (store) => store.forkSession("s", { newId: "f", at: "m50" }),
  "setChatHistory with two new messages": async (store) => {
    const history = await store.getChatHistory("s");
    await store.setChatHistory("s", [...history, fresh("x"), fresh("y")]);
  },
  "setChatHistory without the ids, with two new messages": async (store) => {
    const history = (await store.getChatHistory("s")).map(({ role, content }) => ({ role, content }));
    await store.setChatHistory("s", [...history, fresh("x"), fresh("y")]);
  },
  "a clear": (store) => store.clearSession("s"),
  "a revert to the middle": (store) => store.revertToMessage("s", "m50"),
  "an update at the beginning": (store) => store.updateMessage("s", "m1", fresh("x")),
  "a deletion": (store) => store.deleteSession("s"),
  "a snapshot and a way back to it": async (store) => {
    await store.createSnapshot("s", "mark");
    await store.clearSession("s");
    await store.revertToSnapshot("s", "mark");
  },
  "an update of what a snapshot holds": async (store) => {
    await store.createSnapshot("s", "mark");
    await store.updateMessage("s", "m50", fresh("x"));
  },
  "a removal of what a snapshot holds": async (store) => {
    await store.createSnapshot("s", "mark");
    await store.removeMessages("s", "m2");
  },
};

/** How many rows are inserted, changed or deleted in a session of this length. */
async function writtenAt(length: number, deed: Deed): Promise<number> {
  const path = await temporaryPath();
  await copyFile(join(folder, `${length}.db`), path);
  const db = connected(path);
  await using store = await openSqliteStore({ database: db, sweepIntervalMs: 0 });
  const before = changes(db);
  await deed(store);
  const written = changes(db) - before;
  if (await store.sessionExists("s")) expect(await store.verify("s")).toMatchObject({ ok: true });
  return written;
}

function changes(db: Database.Database): number {
  return Number(db.prepare("SELECT total_changes()").pluck().get());
}

describe("rows written do not grow with the session", () => {
  test.each(Object.entries(deeds))("%s", async (_name, deed) => {
    const [short, long] = [await writtenAt(LENGTHS[0], deed), await writtenAt(LENGTHS[1], deed)];
    expect(long).toBeLessThan(20);
    // A short end of a history may be removed at once, where a long one is left to the sweep.
    expect(long).toBeLessThanOrEqual(Math.max(short, 20));
  });
});
