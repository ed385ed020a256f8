import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openJsonFileStore, SessionError } from "../../src/index.js";
import { OtherProcess } from "../processes/other-process.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sessions-opening-"));
});
afterEach(async () => {
  await chmod(folder, 0o755);
  await rm(folder, { recursive: true, force: true });
});

/** What opening fails with, for a user for whom modes count. */
async function refusalInProcess(root: string, options = {}): Promise<unknown> {
  const other = new OtherProcess("./open-in-process.mjs", { root, options });
  await other.end();
  return other.said[0];
}

describe("a folder that this process may not write to is refused, and no retry is advised", () => {
  test.each(["the folder itself", "a new folder in it"])("%s", async (which) => {
    await chmod(folder, 0o555);
    const root = which === "the folder itself" ? folder : join(folder, "store");
    expect(await refusalInProcess(root)).toMatchObject({
      code: "STORE_UNAVAILABLE",
      retryable: false,
      message: `This process may not write to ${root}. Give it the right, or name another folder.`,
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test("a folder that it may not even enter", async () => {
    await chmod(folder, 0o700);
    expect(await refusalInProcess(join(folder, "store"))).toMatchObject({
      code: "STORE_UNAVAILABLE",
      retryable: false,
      message: expect.stringContaining("This process may not write to"),
    });
  });

  test("a store that must be opened for writing", async () => {
    await chmod(folder, 0o755);
    const root = join(folder, "store");
    await (await openJsonFileStore({ root, folderMode: 0o755, fileMode: 0o644 })).close();
    expect(await refusalInProcess(root, { readOnly: false })).toMatchObject({
      code: "STORE_UNAVAILABLE",
      retryable: false,
      message: expect.stringContaining("cannot be opened for writing"),
    });
  });
});

describe("a root that cannot be a folder is refused with what to do, and nothing is changed", () => {
  test("a file", async () => {
    const root = join(folder, "notes.txt");
    await writeFile(root, "notes");
    const error: unknown = await openJsonFileStore({ root }).catch((reason: unknown) => reason);
    expect(SessionError.is(error, "INVALID_ARGUMENT"), String(error)).toBe(true);
    expect(error).toMatchObject({
      retryable: false,
      path: "options.root",
      message: expect.stringContaining(`${root} is a file`),
    });
    expect(await readFile(root, "utf8")).toBe("notes");
  });

  test("a folder in which a file has the name of a folder of the store", async () => {
    await writeFile(join(folder, "sessions"), "notes");
    await expect(openJsonFileStore({ root: folder })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      retryable: false,
      message: expect.stringContaining("holds a file in the place of a folder"),
    });
    expect(await readdir(folder)).toEqual(["sessions"]);
  });

  test.each<[string, string, (folder: string) => Promise<string>]>([
    [
      "a path through a file",
      "is a file and not a folder",
      async (at) => {
        await writeFile(join(at, "notes.txt"), "notes");
        return join(at, "notes.txt", "store");
      },
    ],
    ["a name that is too long", "is too long", async (at) => join(at, "n".repeat(300))],
  ])("%s", async (_name, words, make) => {
    await mkdir(join(folder, "in"));
    const root = await make(join(folder, "in"));
    await expect(openJsonFileStore({ root })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      retryable: false,
      message: expect.stringContaining(words),
    });
  });

  test("a link that leads nowhere, at the root or above it", async () => {
    const link = join(folder, "link");
    await symlink(join(folder, "missing"), link);
    for (const root of [link, join(link, "store")])
      await expect(openJsonFileStore({ root }), root).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        retryable: false,
        message: `${link} is a link that leads nowhere. Put back what it led to, or name another folder.`,
      });
    expect(await readdir(folder)).toEqual(["link"]);
  });

  // In another process: one that made folders without end would hold up this one for ever.
  test.runIf(process.platform === "linux").each(["/proc/sessions-store", "/proc/sessions-store/a/b"])(
    "a folder of the system that takes no new ones: %s",
    async (root) => {
      expect(await refusalInProcess(root)).toMatchObject({
        code: "STORE_UNAVAILABLE",
        retryable: false,
        message: "/proc/sessions-store cannot be made: /proc takes no new folders. Name a folder elsewhere.",
      });
    },
  );
});
