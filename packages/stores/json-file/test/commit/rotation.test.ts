import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommitRequest } from "@sessions/protocol/backend";
import { loopShare } from "@sessions/protocol/backend";
import { afterEach, beforeEach, expect, test } from "vitest";
import { JournalCommitter } from "../../src/commit/journal-committer.js";
import { nodeFileSystem } from "../../src/engine/node-file-system.js";
import { StoreFormat } from "../../src/engine/store-format.js";
import { Journal } from "../../src/session/journal.js";
import type { JournalContext } from "../../src/session/journal-context.js";
import { JournalFolder } from "../../src/session/journal-folder.js";
import { Warnings } from "../../src/warnings.js";
import { SegmentWriter } from "../fixtures/segment-writer.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-rotation-"));
  for (const folder of ["sessions", "tmp"]) await mkdir(join(root, folder));
  await format().establish();
});

afterEach(() => rm(root, { recursive: true, force: true }));

const node = nodeFileSystem({ folder: 0o700, file: 0o600 });
const nonce = (bytes: number): string => randomBytes(bytes).toString("hex");
const format = (): StoreFormat => new StoreFormat(node, root, nonce);

/** A disk and a lock that are done at once: so commits and rotations interleave in every way within a task. */
const eager = (): JournalContext => ({
  fileSystem: {
    ...node,
    sync: () => Promise.resolve(),
    syncFolder: () => Promise.resolve(),
  },
  format: format(),
  lock: { acquire: () => Promise.resolve(undefined), present: () => undefined },
  share: loopShare,
  warnings: new Warnings(),
  now: () => 1,
  nonce,
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

const committerOn = (context: JournalContext): JournalCommitter =>
  new JournalCommitter(new Journal(new JournalFolder(context, "s")));

test("a rotation that finds no room leaves everything as it was, and the next one works", async () => {
  const context = eager();
  let full = true;
  const create = (path: string): number => {
    if (full && path.endsWith(".candidate")) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    return context.fileSystem.create(path);
  };
  const writer = committerOn({ ...context, fileSystem: { ...context.fileSystem, create } });
  await writer.commit("s", [request(0)]);
  await expect(writer.rotate("forced")).rejects.toMatchObject({ code: "ENOSPC" });
  full = false;
  await writer.commit("s", [request(1)]);
  expect(await writer.rotate("forced")).toBe(true);
  const after = await writer.journal.read();
  expect([after?.g, after?.fold.state?.revision]).toEqual([2, 2]);
  writer.close();
});

test("a line names the unconfirmed writes of its own writer, and of no other", async () => {
  const writer = committerOn(eager());
  await writer.commit("s", [request(0)]);
  const path = join(root, "sessions", "s", "1.jsonl");
  const late = new SegmentWriter(path);
  await writer.commit("s", [request(1)]);
  expect(late.say("late", true)).toBe("overtaken");
  late.segment.readToEnd();
  expect([late.say("m2", true), late.say("m3", true)]).toEqual(["appended", "appended"]); // nobody waits for the disk
  const lines = (await readFile(path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [first, second] = lines.slice(-2);
  expect(first, "the line before it is another writer's").not.toHaveProperty("b");
  expect(second.b, "the line before it is its own").toBe(first.o);
  late.close();
  writer.close();
});

test("a commit is not lost to a rotation of its own store, whenever the two meet", async () => {
  const writer = committerOn(eager());
  for (let moment = 0; moment < 200; moment++) {
    const rotation = writer.rotate("forced");
    await microtasks(moment % 50);
    const [outcome] = await writer.commit("s", [request(moment)]);
    expect(outcome).toMatchObject({ status: "applied", revision: moment + 1 });
    await rotation;
    const head = await writer.journal.read();
    expect(head?.fold.state?.revision, `after moment ${moment}`).toBe(moment + 1);
  }
  writer.close();
});
