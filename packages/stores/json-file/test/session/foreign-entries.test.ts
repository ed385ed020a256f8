import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type JsonFileWarning, openJsonFileStore, SessionError, type SessionStore } from "../../src/index.js";
import { quarantineSession, salvageSession, sessionFolders } from "../../src/maintenance.js";
import { watched } from "../feed/watched.js";
import { openFailing, osError } from "../fixtures/failing-file-system.js";

let root: string;
let warnings: JsonFileWarning[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-foreign-"));
  warnings = [];
  await using store = await openJsonFileStore({ root });
  await store.addMessage("a", { role: "user", content: "sound" });
  await store.forkSession("a", { newId: "b" });
});

afterEach(() => rm(root, { recursive: true, force: true }));

const at = (...names: readonly string[]): string => join(root, "sessions", ...names);
const opened = (): Promise<SessionStore> =>
  openJsonFileStore({ root, onWarning: (warning) => warnings.push(warning) });

async function segmentOfText(text: string): Promise<void> {
  await mkdir(at("c"));
  await writeFile(at("c", "1.jsonl"), text);
}

/** Lists, watches and walks over everything, as if nothing else were there. */
async function expectUndisturbed(store: SessionStore): Promise<void> {
  expect((await store.listSessions()).items.map(({ id }) => id).toSorted()).toEqual(["a", "b"]);
  expect((await store.getChildren("a")).map(({ id }) => id)).toEqual(["b"]);
  expect(await store.getSessionTree("a")).toMatchObject({ session: { id: "a" } });
  const watcher = watched(store);
  await vi.waitFor(async () => {
    await store.addMessage("a", { role: "user", content: "told" });
    expect(watcher.last().has("a")).toBe(true);
  });
  await watcher.stop();
}

describe("something that is no session's", () => {
  test.each<[string, () => Promise<unknown>]>([
    ["a file with a name of its own", () => writeFile(at(".DS_Store"), "x")],
    ["a folder with a name of its own", () => mkdir(at("Neuer Ordner"))],
    ["a name that does not decode", () => mkdir(at("~zz"))],
    ["a link that leads nowhere", () => symlink("/nowhere/at/all", at("Link"))],
  ])("(%s) is ignored with one warning", async (_what, put) => {
    await put();
    await using store = await opened();
    await expectUndisturbed(store);
    await expectUndisturbed(store);
    expect(warnings).toMatchObject([{ code: "FOREIGN_ENTRY", path: expect.stringContaining("sessions/") }]);
    expect([...sessionFolders({ root })].map(({ sessionId }) => sessionId).toSorted()).toEqual(["a", "b"]);
  });
});

describe("what stands in a session's place and cannot be read", () => {
  const DAMAGES: [string, () => Promise<unknown>][] = [
    ["a file instead of its folder", () => writeFile(at("c"), "x")],
    ["an empty folder", () => mkdir(at("c"))],
    ["a link that leads nowhere", () => symlink("/nowhere/at/all", at("c"))],
    ["a link to itself", () => symlink(at("c"), at("c"))],
    ["a folder instead of its segment", () => mkdir(at("c", "1.jsonl"), { recursive: true })],
    ["a segment without a line", () => segmentOfText("")],
    ["a segment of something else", () => segmentOfText("x\n")],
  ];

  test.each(DAMAGES)(
    "(%s) is damage of that session alone",
    async (_what, put) => {
      await put();
      await using store = await opened();
      await expectUndisturbed(store);
      await expectUndisturbed(store);
      expect(warnings).toMatchObject([{ code: "UNREADABLE_SESSION", path: at("c") }]);
      const corrupted = { code: "SESSION_CORRUPTED", sessionId: "c" };
      for (let time = 0; time < 2; time++) {
        await expect(store.getSession("c")).rejects.toMatchObject(corrupted);
        await expect(store.addMessage("c", { role: "user" })).rejects.toMatchObject(corrupted);
      }
      expect(await store.verify("c")).toMatchObject({ ok: false, messages: 0 });
      expect([...sessionFolders({ root })].map(({ sessionId }) => sessionId).toSorted()).toEqual([
        "a",
        "b",
        "c",
      ]);
    },
    20_000,
  );

  test.each(DAMAGES)(
    "(%s) can be quarantined, and the id is free again",
    async (_what, put) => {
      await put();
      await expect(salvageSession({ root, sessionId: "c", newId: "saved" })).rejects.toMatchObject({
        code: "SESSION_CORRUPTED",
      });
      await quarantineSession({ root, sessionId: "c" });
      await using store = await opened();
      expect(await store.sessionExists("c")).toBe(false);
      await store.addMessage("c", { role: "user", content: "anew" });
      expect(await store.getChatHistory("c")).toHaveLength(1);
    },
    20_000,
  );

  test.each(["EACCES", "EIO"])(
    "(%s at its folder) is left out of lists and reported by verify",
    async (code) => {
      await using store = await openFailing(
        { root, onWarning: (warning) => warnings.push(warning) },
        {
          list: (real, path) => {
            if (path.endsWith("sessions/b")) throw osError(code);
            return real(path);
          },
        },
      );
      expect((await store.listSessions()).items.map(({ id }) => id)).toEqual(["a"]);
      expect(warnings).toMatchObject([{ code: "UNREADABLE_SESSION", path: at("b") }]);
      await expect(store.getSession("b")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(await store.verify("b")).toMatchObject({ ok: false });
    },
  );
});

test.each(["EIO", "EACCES", "EMFILE"])(
  "%s at the folder of all sessions is an error, not an empty list",
  async (code) => {
    await using store = await openFailing(
      { root },
      {
        list: (real, path) => {
          if (path.endsWith("sessions")) throw osError(code);
          return real(path);
        },
      },
    );
    await expect(store.listSessions()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  },
);

test("a passing I/O error at one session leaves no session out of a list", async () => {
  let failures = 1;
  await using store = await openFailing(
    { root, onWarning: (warning) => warnings.push(warning) },
    {
      list: (real, path) => {
        if (path.endsWith("sessions/b") && failures-- > 0) throw osError("EIO");
        return real(path);
      },
    },
  );
  expect((await store.listSessions()).items.map(({ id }) => id).toSorted()).toEqual(["a", "b"]);
  expect(warnings).toEqual([]);
});

test("a lack of handles at one session is an error, not a session that is left out", async () => {
  await using store = await openFailing(
    { root },
    {
      list: (real, path) => {
        if (path.endsWith("sessions/b")) throw osError("EMFILE");
        return real(path);
      },
    },
  );
  const error: unknown = await store.listSessions().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(SessionError.is(error, "STORE_UNAVAILABLE")).toBe(true);
});
