import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openJsonFileStore, type SessionStore } from "../../src/index.js";
import { quarantineSession, salvageSession, sessionFolders } from "../../src/maintenance.js";
import { segmentOf } from "../conformance/folder-place.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-repair-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Five messages, of which the third one's record is spoilt. */
async function damaged(): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  await using store = await openJsonFileStore({ root });
  for (const id of ["1", "2", "3", "4", "5"])
    await store.addMessage("s", { id, role: "user", content: `<${id}>` });
  const path = await segmentOf(root, "s");
  const bytes = await readFile(path);
  bytes[bytes.indexOf("<3>") + 1] = 0x39;
  await writeFile(path, bytes);
  return { path, bytes };
}

const contents = async (store: SessionStore, id: string): Promise<unknown[]> =>
  (await store.getChatHistory(id)).map(({ content }) => content);

test("what stands before the damage is saved into a new session, and the damaged one is not touched", async () => {
  const { path, bytes } = await damaged();
  const salvaged = await salvageSession({ root, sessionId: "s", newId: "saved", beyondDamage: false });
  expect(salvaged).toMatchObject({ sessionId: "saved", messages: 2, appliedBeyond: 0, leftOut: 2 });
  expect(salvaged.findings.map(({ severity }) => severity)).toContain("harmful");
  await using store = await openJsonFileStore({ root });
  expect(await contents(store, "saved")).toEqual(["<1>", "<2>"]);
  await expect(store.getSession("s")).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
  expect(await readFile(path)).toEqual(bytes);
  expect(await readFile(join(salvaged.quarantine, "1.jsonl")), "every byte is kept").toEqual(bytes);
});

test("commits behind the damage that still make sense are saved too, unless the caller declines", async () => {
  await damaged();
  const salvaged = await salvageSession({ root, sessionId: "s", newId: "saved" });
  expect(salvaged).toMatchObject({ messages: 4, appliedBeyond: 2, leftOut: 0, lost: [{ revision: 3 }] });
  await using store = await openJsonFileStore({ root });
  expect(await contents(store, "saved")).toEqual(["<1>", "<2>", "<4>", "<5>"]);
});

test("verify names each finding: the damage, and what is cut off by it", async () => {
  const { path } = await damaged();
  await using store = await openJsonFileStore({ root });
  const { ok, findings, revision } = await store.verify("s");
  expect({ ok, revision }).toEqual({ ok: false, revision: 2 });
  expect(findings).toEqual([
    {
      severity: "harmful",
      detail: "a line has a wrong checksum",
      location: expect.stringMatching(/ at byte \d+$/),
    },
    { severity: "harmful", detail: expect.stringContaining("2 commits behind the damage"), location: path },
  ]);
});

test("a damaged session is quarantined, and its id is free again", async () => {
  const { bytes } = await damaged();
  const to = await quarantineSession({ root, sessionId: "s" });
  expect(dirname(to)).toBe(join(root, "quarantine"));
  expect(await readFile(join(to, "1.jsonl"))).toEqual(bytes);
  await using store = await openJsonFileStore({ root });
  expect(await store.getSession("s")).toBeUndefined();
  await store.addMessage("s", { role: "user", content: "anew" });
  expect(await contents(store, "s")).toEqual(["anew"]);
});

test("a folder that holds another session's journal is reported by verify, and listed under no name", async () => {
  await using store = await openJsonFileStore({ root });
  await store.addMessage("s", { role: "user", content: "mine" });
  await cp(join(root, "sessions", "s"), join(root, "sessions", "copy"), { recursive: true });
  expect((await store.listSessions()).items.map(({ id }) => id)).toEqual(["s"]);
  await expect(store.getSession("copy")).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
  expect(await store.verify("copy")).toMatchObject({ ok: false });
  await store.close();
  await quarantineSession({ root, sessionId: "copy" });
  await using again = await openJsonFileStore({ root });
  expect(await again.getSession("copy")).toBeUndefined();
  expect(await contents(again, "s")).toEqual(["mine"]);
});

test("another session's journal is not taken for what is left of this one", async () => {
  await using store = await openJsonFileStore({ root });
  await store.addMessage("s", { role: "user", content: "mine" });
  await cp(join(root, "sessions", "s"), join(root, "sessions", "copy"), { recursive: true });
  await expect(salvageSession({ root, sessionId: "copy", newId: "saved" })).rejects.toMatchObject({
    code: "SESSION_CORRUPTED",
    message: expect.stringContaining("Nothing of session"),
  });
  expect(await store.sessionExists("saved")).toBe(false);
});

test("a damaged first line takes none of the others with it", async () => {
  await using store = await openJsonFileStore({ root });
  for (const id of ["1", "2", "3"]) await store.addMessage("s", { id, role: "user", content: `<${id}>` });
  const path = await segmentOf(root, "s");
  const bytes = await readFile(path);
  bytes[bytes.indexOf("sessions-journal")] = 0x53;
  await writeFile(path, bytes);
  await using other = await openJsonFileStore({ root });
  expect(await other.verify("s")).toMatchObject({
    ok: false,
    findings: [{ detail: expect.stringContaining("header") }, {}],
  });
  const salvaged = await salvageSession({ root, sessionId: "s", newId: "saved", beyondDamage: true });
  expect(salvaged).toMatchObject({ messages: 3, appliedBeyond: 3, leftOut: 0, reached: 3 });
  expect(await contents(other, "saved")).toEqual(["<1>", "<2>", "<3>"]);
});

test("every folder is listed with its session, deleted and damaged ones too", async () => {
  await damaged();
  await using store = await openJsonFileStore({ root });
  const ids = ["User:1", "日本", "long".repeat(100), "con"];
  for (const id of ids) await store.addMessage(id, { role: "user" });
  await store.deleteSession("con");
  await mkdir(join(root, "sessions", "~zz-nobody's"));
  await writeFile(join(root, "sessions", "~zz-nobody's", "1.jsonl"), "");
  await mkdir(join(root, "sessions", "no session's"));
  const found = [...sessionFolders({ root })].map(({ sessionId }) => sessionId);
  expect(found.toSorted()).toEqual(["s", ...ids, undefined].toSorted());
});

test.each(["", '{"format":"sessions-journal"'])(
  "a journal that is cut to %j is damaged, and can be quarantined",
  async (text) => {
    const { path } = await damaged();
    await writeFile(path, text);
    await expect(salvageSession({ root, sessionId: "s", newId: "saved" })).rejects.toMatchObject({
      code: "SESSION_CORRUPTED",
      message: expect.stringContaining("Nothing of session"),
    });
    expect(await readdir(join(root, "quarantine")), "every byte is kept all the same").toHaveLength(1);
    await quarantineSession({ root, sessionId: "s" });
    await using store = await openJsonFileStore({ root });
    expect(await store.sessionExists("s")).toBe(false);
  },
);

test("a store whose folder is gone says that it is not healthy", async () => {
  await using store = await openJsonFileStore({ root });
  expect(await store.describe()).toMatchObject({ healthy: true, warnings: [] });
  await rm(join(root, "format.json"));
  expect(await store.describe()).toMatchObject({
    healthy: false,
    warnings: [expect.stringContaining("format.json")],
  });
});

test("a sound session is neither salvaged nor quarantined", async () => {
  await using store = await openJsonFileStore({ root });
  await store.addMessage("s", { role: "user" });
  for (const repair of [
    () => salvageSession({ root, sessionId: "s", newId: "saved" }),
    () => quarantineSession({ root, sessionId: "s" }),
    () => quarantineSession({ root, sessionId: "nobody" }),
  ]) {
    await expect(repair()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  }
  expect(await readdir(join(root, "quarantine"))).toEqual([]);
  expect(await store.sessionExists("saved")).toBe(false);
});

test("an existing session is not overwritten by what was saved", async () => {
  await damaged();
  await using store = await openJsonFileStore({ root });
  await store.addMessage("taken", { role: "user", content: "mine" });
  await expect(salvageSession({ root, sessionId: "s", newId: "taken" })).rejects.toMatchObject({
    code: "SESSION_EXISTS",
  });
  expect(await contents(store, "taken")).toEqual(["mine"]);
});

test("the folders of a store that is not there are an error, not none", () => {
  expect(() => [...sessionFolders({ root: join(root, "elsewhere") })]).toThrow("There is no folder");
});
