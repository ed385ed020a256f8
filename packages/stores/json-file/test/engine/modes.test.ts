import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openJsonFileStore } from "../../src/index.js";
import type { JsonFileStoreOptions } from "../../src/options.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sessions-modes-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The modes of a new store's folders and files. */
async function modes(options: Partial<JsonFileStoreOptions>): Promise<readonly (readonly number[])[]> {
  const root = join(folder, "store");
  const store = await openJsonFileStore({ root, ...options });
  await store.createSession("s");
  await store.close(); // the bell rings a moment after the answer
  const modeOf = async (path: string) => (await stat(join(root, path))).mode & 0o777;
  return Promise.all(
    [
      ["", "sessions", "sessions/s"],
      ["format.json", "doorbell", "sessions/s/1.jsonl"],
    ].map((paths) => Promise.all(paths.map(modeOf))),
  );
}

test("files and folders that the store makes are open to their owner only", async () => {
  expect(await modes({})).toEqual([
    [0o700, 0o700, 0o700],
    [0o600, 0o600, 0o600],
  ]);
});

test("files and folders get the modes that the caller asks for", async () => {
  expect(await modes({ folderMode: 0o755, fileMode: 0o644 })).toEqual([
    [0o755, 0o755, 0o755],
    [0o644, 0o644, 0o644],
  ]);
});
