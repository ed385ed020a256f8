import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommitRequest } from "@sessions/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EventLoopShare } from "../src/event-loop-share.js";
import { Journal } from "../src/journal.js";
import { type JournalContext, JournalPlace } from "../src/journal-place.js";
import { nodeFileSystem } from "../src/node-file-system.js";
import { Warnings } from "../src/warnings.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-rotation-"));
  for (const folder of ["sessions", "tmp"]) await mkdir(join(root, folder));
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** A disk and a lock that are done at once: so commits and rotations interleave in every way within a task. */
const eager = (): JournalContext => ({
  fileSystem: {
    ...nodeFileSystem({ folder: 0o700, file: 0o600 }),
    sync: () => Promise.resolve(),
    syncFolder: () => Promise.resolve(),
  },
  lock: { acquire: () => Promise.resolve(undefined), standing: () => undefined },
  share: new EventLoopShare(),
  warnings: new Warnings(),
  now: () => 1,
  nonce: (bytes) => randomBytes(bytes).toString("hex"),
  sessions: join(root, "sessions"),
  tmp: join(root, "tmp"),
  strict: true,
  writable: true,
  rotateBytes: 0,
  deadlineMs: 10_000,
});

const request = (index: number): CommitRequest => ({
  sessionId: "s",
  id: `c${index}`,
  at: 1,
  ops: [{ op: "append", messages: [{ id: `m${index}`, role: "user" }], onExisting: "fail" }],
});

async function microtasks(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed++) await Promise.resolve();
}

test("no commit is lost that its own store's rotation meets, at whatever moment", async () => {
  const journal = new Journal(new JournalPlace(eager(), "s"));
  for (let moment = 0; moment < 200; moment++) {
    const rotation = journal.rotate("forced");
    await microtasks(moment % 50);
    const [outcome] = await journal.commit("s", [request(moment)]);
    expect(outcome).toMatchObject({ status: "applied", revision: moment + 1 });
    await rotation;
    const head = await journal.read();
    expect(head?.fold.state?.revision, `after moment ${moment}`).toBe(moment + 1);
  }
  journal.close();
});
