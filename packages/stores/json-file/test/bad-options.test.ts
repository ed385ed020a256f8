import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { openJsonFileBackend } from "../src/open-json-file-backend.js";
import { openJsonFileStore } from "../src/open-json-file-store.js";
import { quarantineSession } from "../src/upkeep/quarantine-session.js";
import { salvageSession } from "../src/upkeep/salvage-session.js";
import { sessionFolders } from "../src/upkeep/session-folders.js";

type Loose = (options: unknown) => unknown;

const calls: Readonly<Record<string, Loose>> = {
  openJsonFileStore: openJsonFileStore as Loose,
  openJsonFileBackend: openJsonFileBackend as Loose,
  quarantineSession: quarantineSession as Loose,
  salvageSession: salvageSession as Loose,
};

const ROOT = "./no-such-folder-of-a-test";
const bad = [
  null,
  undefined,
  5,
  "x",
  [],
  new Map(),
  {},
  { root: 5 },
  { root: "" },
  { root: ROOT, durabilty: "x" },
];

test.each(Object.entries(calls))(
  "%s rejects what is no options object and makes nothing",
  async (_, call) => {
    for (const options of bad) {
      const promise = call(options);
      expect(promise).toBeInstanceOf(Promise);
      await expect(promise, JSON.stringify(options)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect(existsSync(ROOT)).toBe(false);
  },
);

test("a repair without an id is refused before anything is made", async () => {
  const calls: readonly Loose[] = [quarantineSession as Loose, salvageSession as Loose];
  for (const call of calls)
    await expect(call({ root: ROOT })).rejects.toMatchObject({ path: "options.sessionId" });
  expect(existsSync(ROOT)).toBe(false);
});

test.each([
  [{ root: "a\0b" }, "options.root"],
  [{ root: ROOT, durability: "never" }, "options.durability"],
  [{ root: ROOT, fileMode: "0600" }, "options.fileMode"],
  [{ root: ROOT, onWarning: 1 }, "options.onWarning"],
  [{ root: ROOT, limits: { messageByte: 1 } }, "options.limits.messageByte"],
])("openJsonFileStore names what is wrong with %o", async (options, path) => {
  await expect((openJsonFileStore as Loose)(options)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    path,
  });
  expect(existsSync(ROOT), "nothing is made").toBe(false);
});

test.each(["file:./no-such-folder", "FILE:///no/such/folder", "sqlite:./sessions.db"])(
  "%s as a root is refused with what opens URLs, and no folder of that name is made",
  async (root) => {
    await expect(openJsonFileStore({ root })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      path: "options.root",
      message: `options.root must be a path such as ./sessions, not a URL: ${root}. openStore of @sessions/config opens URLs.`,
    });
    expect(existsSync(root)).toBe(false);
  },
);

test("sessionFolders refuses null when it is iterated", () => {
  const folders = (sessionFolders as (options: unknown) => Iterable<unknown>)(null);
  expect(() => [...folders]).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});
