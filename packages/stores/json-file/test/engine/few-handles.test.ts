import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openJsonFileStore } from "../../src/index.js";

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL("../processes/few-handles.mjs", import.meta.url));

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-handles-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

test("a process with 64 file handles works on 120 sessions at once", async () => {
  const given = JSON.stringify({ root, sessions: 120 });
  const { stdout } = await run(process.execPath, [PROGRAM, given]);
  expect(JSON.parse(stdout)).toEqual({ failures: {}, listed: 120 });
  await using store = await openJsonFileStore({ root });
  for await (const { id } of store.listSessions())
    expect(await store.verify(id)).toMatchObject({ ok: true, revision: 3 });
}, 60_000);
