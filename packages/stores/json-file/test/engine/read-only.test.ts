import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type JsonFileWarning, openJsonFileStore, type SessionStore } from "../../src/index.js";
import { OtherProcess } from "../processes/other-process.js";

const SOON = { timeout: 15_000, interval: 5 };
const message = (content: string) => ({ role: "user", content });

let folder: string;
let root: string;
let writer: SessionStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sessions-read-only-"));
  await chmod(folder, 0o755);
  root = join(folder, "store");
  writer = await openJsonFileStore({ root, folderMode: 0o755, fileMode: 0o644 });
  await writer.addMessage("s", message("one"));
  await vi.waitFor(() => stat(join(root, "doorbell")), SOON); // it rings a moment after the commit
});
afterEach(async () => {
  await writer.close();
  for (const path of [root, join(root, "sessions")]) await chmod(path, 0o755);
  await rm(folder, { recursive: true, force: true });
});

/** Everything in the store's folder, with what changes when it is changed. */
async function onDisk(): Promise<readonly string[]> {
  const names = (await readdir(root, { recursive: true })).toSorted();
  return Promise.all(
    ["", ...names].map(async (name) => {
      const { size, mtimeMs, ctimeMs, ino } = await stat(join(root, name));
      return `${name} ${size} ${mtimeMs} ${ctimeMs} ${ino}`;
    }),
  );
}

/** Makes folders of the store unwritable for those to whom modes count. */
async function closeFolders(...folders: readonly string[]): Promise<void> {
  for (const path of folders) await chmod(join(root, path), 0o555);
}

/** Another process, for which modes count. */
function reader(options = {}): OtherProcess {
  return new OtherProcess("./read-in-process.mjs", { root, options });
}

describe("a process that may not write to a store", () => {
  test("opens it read-only and says so; reads, lists, exports and verifies; changes nothing", async () => {
    await closeFolders("", "sessions");
    const before = await onDisk();
    const other = reader();
    await vi.waitFor(() => expect(other.said.length).toBeGreaterThan(1), SOON);
    await other.finish();
    const why = expect.stringMatching(/read-only, because this process may not write to .* \(EACCES\)/);
    expect(other.said[0]).toEqual({
      warnings: ["READ_ONLY"],
      described: [why],
      history: ["one"],
      listed: ["s"],
      exported: "s",
      verified: true,
      refused: { code: "STORE_UNAVAILABLE", message: why },
    });
    expect(await onDisk()).toEqual(before);
  });

  test("gets the changes of processes that may write", async () => {
    await closeFolders(""); // whoever has it open goes on writing
    const other = reader();
    await vi.waitFor(() => expect(other.said.at(-1)).toEqual({ revision: 1 }), SOON);
    await writer.addMessage("s", message("two"));
    await vi.waitFor(() => expect(other.said.at(-1)).toEqual({ revision: 2 }), SOON);
    await other.finish();
  });

  test("is refused if it asks for a store that it can write to", async () => {
    await closeFolders("", "sessions");
    const other = reader({ readOnly: false });
    await other.end();
    const message = expect.stringMatching(/opened for writing: this process may not write to .* \(EACCES\)/);
    expect(other.said).toEqual([{ failed: { code: "STORE_UNAVAILABLE", message } }]);
  });
});

describe("a store that is opened read-only by the option", () => {
  test("refuses every mutator and says why, and changes nothing", async () => {
    await writer.createSnapshot("s", "mark");
    const bundle = await writer.exportSession("s");
    const [first] = await writer.getChatHistory("s");
    await writer.addMessage("s", message("two"), { commitId: "known" });
    await writer.close(); // with its last ring
    const before = await onDisk();
    const warnings: JsonFileWarning[] = [];
    await using store = await openJsonFileStore({
      root,
      readOnly: true,
      onWarning: (warning) => warnings.push(warning),
    });
    const mutators: Record<string, () => Promise<unknown>> = {
      createSession: () => store.createSession("new"),
      patchSession: () => store.patchSession("s", { title: "t" }),
      deleteSession: () => store.deleteSession("s"),
      addMessage: () => store.addMessage("new", message("x")),
      "a commit that was made before": () => store.addMessage("s", message("two"), { commitId: "known" }),
      setChatHistory: () => store.setChatHistory("s", [message("x")]),
      updateMessage: () => store.updateMessage("s", first?.id ?? "", message("x")),
      removeMessages: () => store.removeMessages("s", [first?.id ?? ""]),
      popMessage: () => store.popMessage("s"),
      clearSession: () => store.clearSession("s"),
      updateSessionMetadata: () => store.updateSessionMetadata("s", { a: 1 }),
      incrementCounters: () => store.incrementCounters("s", { a: 1 }),
      forkSession: () => store.forkSession("s", { newId: "f" }),
      createSnapshot: () => store.createSnapshot("s", "other"),
      revertToSnapshot: () => store.revertToSnapshot("s", "mark"),
      dropSnapshot: () => store.dropSnapshot("s", "mark"),
      importSession: () => store.importSession(bundle, { newId: "i" }),
      archiveMessages: () => store.archiveMessages("s", { keepRecent: 1 }),
      beginTurn: () => store.beginTurn("s"),
      runTurn: () => store.runTurn("s", {}, async () => []),
    };
    for (const [name, mutate] of Object.entries(mutators)) {
      const failure = await mutate().then(
        () => "nothing",
        (error: unknown) => error,
      );
      expect(failure, name).toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining("read-only, because the option readOnly says so"),
      });
    }
    expect((await store.listSessions()).items.map(({ id }) => id)).toEqual(["s"]);
    expect(await onDisk()).toEqual(before);
    expect(warnings).toMatchObject([{ code: "READ_ONLY", path: root }]);
  });

  test("sees what others write meanwhile", async () => {
    await using store = await openJsonFileStore({ root, readOnly: true });
    expect(await store.getChatHistory("s")).toHaveLength(1);
    await writer.addMessage("s", message("two"));
    expect(await store.getChatHistory("s")).toHaveLength(2);
  });

  test("is not created", async () => {
    const nowhere = join(folder, "nowhere");
    await expect(openJsonFileStore({ root: nowhere, readOnly: true })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining(`There is no store in ${nowhere}`),
    });
    await expect(readdir(folder)).resolves.toEqual(["store"]);
  });
});
