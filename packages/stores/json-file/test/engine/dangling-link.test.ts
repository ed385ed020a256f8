import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DanglingLink } from "../../src/engine/dangling-link.js";
import { nodeFileSystem } from "../../src/engine/node-file-system.js";
import { OtherProcess } from "../processes/other-process.js";

const files = nodeFileSystem({ folder: 0o700, file: 0o600 });
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-link-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

test("a link to nothing is an error, not absence", async () => {
  await symlink("/nowhere/at/all", join(root, "link"));
  expect(() => files.stat(join(root, "link"))).toThrow(DanglingLink);
});

test("a folder that another process is just creating is there or absent, never a dangling link", async () => {
  const path = join(root, "s");
  const other = new OtherProcess("made-and-removed.mjs", { path });
  const seen = { there: 0, absent: 0 };
  // Most of what is seen before the other process has started says nothing.
  while (seen.there < 2000 || seen.absent < 2000) {
    for (let call = 0; call < 500; call++) seen[files.stat(path) === undefined ? "absent" : "there"]++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await other.finish();
});
