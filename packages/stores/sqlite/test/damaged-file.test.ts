import { createHash } from "node:crypto";
import { open, readFile, truncate, writeFile } from "node:fs/promises";
import { SessionError } from "@sessions/protocol";
import { describe, expect, test } from "vitest";
import { openSqliteStore, type SqliteStore } from "../src/index.js";
import { altered, temporaryPath } from "./temporary.js";

async function filled(): Promise<string> {
  const path = await temporaryPath();
  await using store = await openSqliteStore({ path });
  for (const id of ["good", "bad"]) {
    await store.createSession(id, {
      metadata: { note: "kept" },
      messages: Array.from({ length: 50 }, (_, n) => ({
        id: `${id}-${n}`,
        role: "user",
        content: `${n} `.repeat(50),
      })),
    });
    await store.createSnapshot(id, "mark");
    await store.archiveMessages(id, { keepRecent: 10 });
    await store.addMessage(id, { id: "draft", role: "assistant", content: "", status: "partial" });
    await store.commit(id, { op: "extend", messageId: "draft", text: "word" });
  }
  return path;
}

async function digest(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "no error";
  } catch (error) {
    if (!SessionError.is(error)) throw error;
    expect(error.message).toMatch(/\w+ \w+ \w+/);
    return error.code;
  }
}

const read = async (path: string): Promise<unknown> => {
  await using store = await openSqliteStore({ path });
  return store.exportSession("good");
};

describe("a damaged file is refused and left as it is", () => {
  test.each<[string, (path: string) => Promise<unknown>]>([
    ["emptied", (path) => truncate(path, 0)],
    ["cut off in the middle", (path) => truncate(path, 6000)],
    [
      "overwritten with text",
      (path) => writeFile(path, "this is no database, but somebody's notes".repeat(1000)),
    ],
    ["with another header", (path) => overwritten(path, 0, Buffer.from("not SQLite at all"))],
    ["full of zeros behind its first page", (path) => overwritten(path, 4096, Buffer.alloc(200_000))],
  ])("%s", async (_name, damage) => {
    const path = await filled();
    await damage(path);
    const before = await digest(path);
    expect(await codeOf(() => read(path))).toMatch(/^(STORE_UNAVAILABLE|SESSION_CORRUPTED)$/);
    expect(await digest(path)).toBe(before);
  });

  test("a database of somebody else's is not taken over", async () => {
    const path = await temporaryPath();
    altered(path, (db) => db.exec("CREATE TABLE mine (a)"));
    expect(await codeOf(() => read(path))).toBe("INVALID_ARGUMENT");
    expect(altered(path, (db) => db.prepare("SELECT name FROM sqlite_schema").pluck().all())).toEqual([
      "mine",
    ]);
  });
});

async function overwritten(path: string, at: number, bytes: Buffer): Promise<void> {
  await using file = await open(path, "r+");
  await file.write(bytes, 0, bytes.length, at);
}

const spoils: Readonly<Record<string, string>> = {
  "a message": `UPDATE messages SET body = replace(body, 'user', 'usur') WHERE id = 'bad-3'`,
  "a message's id": `UPDATE messages SET id = 'bad-x' WHERE id = 'bad-3'`,
  "a message's revision": `UPDATE messages SET revision = 7 WHERE id = 'bad-3'`,
  "a message that is gone": `DELETE FROM messages WHERE id = 'bad-3'`,
  "an extension of a draft": `UPDATE extensions SET op = replace(op, 'word', 'ward') WHERE row IN (SELECT row FROM messages WHERE log = 2)`,
  "a part": `UPDATE parts SET body = replace(body, 'kept', 'lost') WHERE key = 2`,
  "the session's state": `UPDATE sessions SET state = replace(state, 'liveFrom":', 'liveFrom":1') WHERE id = 'bad'`,
  "the session's revision": `UPDATE sessions SET revision = 1 WHERE id = 'bad'`,
  "the session's log": `UPDATE sessions SET log = 1 WHERE id = 'bad'`,
};

describe("the damage of one session stays with it", () => {
  test.each(Object.entries(spoils))("%s", async (_name, sql) => {
    const path = await filled();
    altered(path, (db) => expect(db.prepare(sql).run().changes).toBeGreaterThan(0));
    await using store = await openSqliteStore({ path });
    expect(await codeOf(() => store.exportSession("bad"))).toBe("SESSION_CORRUPTED");
    expect(await found(store)).toBe("harmful");
    expect(await store.verify("good")).toMatchObject({ ok: true });
    await store.addMessage("good", { role: "user", content: "goes on" });
    expect((await store.listSessions()).items.map(({ id }) => id)).toContain("good");
  });
});

async function found(store: SqliteStore): Promise<string> {
  try {
    const { ok, findings } = await store.verify("bad");
    return ok ? "nothing" : (findings[0]?.severity ?? "nothing");
  } catch (error) {
    if (!SessionError.is(error, "SESSION_CORRUPTED")) throw error;
    return "harmful";
  }
}
