import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommitRequest } from "@sessions/protocol/backend";
import { loopShare } from "@sessions/protocol/backend";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Journal } from "../../src/commit/journal.js";
import { nodeFileSystem } from "../../src/engine/node-file-system.js";
import { StoreFormat } from "../../src/engine/store-format.js";
import { type JournalContext, JournalPlace } from "../../src/session/journal-folder.js";
import { entryOf } from "../../src/session/lines/commit-entry.js";
import { commitFragments } from "../../src/session/lines/line-bodies.js";
import { Segment } from "../../src/session/segment.js";
import { Warnings } from "../../src/warnings.js";

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
  lock: { acquire: () => Promise.resolve(undefined), standing: () => undefined },
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

test("a rotation that finds no room leaves everything as it was, and the next one works", async () => {
  const context = eager();
  let full = true;
  const create = (path: string): number => {
    if (full && path.endsWith(".candidate")) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    return context.fileSystem.create(path);
  };
  const journal = new Journal(
    new JournalPlace({ ...context, fileSystem: { ...context.fileSystem, create } }, "s"),
  );
  await journal.commit("s", [request(0)]);
  await expect(journal.rotate("forced")).rejects.toMatchObject({ code: "ENOSPC" });
  const before = await journal.read();
  expect(before?.fold.onCommit, "nobody gathers news any more").toBeUndefined();
  full = false;
  expect(await journal.rotate("forced")).toBe(true);
  const after = await journal.read();
  expect([after?.g, after?.fold.state?.revision]).toEqual([2, 1]);
  journal.close();
});

test("a line says only of writes of its own writer that the disk has not confirmed them", async () => {
  const journal = new Journal(new JournalPlace(eager(), "s"));
  await journal.commit("s", [request(0)]);
  const path = join(root, "sessions", "s", "1.jsonl");
  const slow = { ...eager().fileSystem, sync: () => new Promise<void>(() => undefined) }; // the disk never answers
  const late = Segment.open(slow, path, 1, true);
  const { state } = late?.readOn() ?? {};
  await journal.commit("s", [request(1)]);
  const write = (index: number): unknown => {
    const entry = entryOf(request(index), index + 1);
    return late?.append("late", {
      fragments: commitFragments([entry]),
      state: state,
      entries: [entry],
      durable: true,
    });
  };
  expect(write(1)).toBe("overtaken");
  late?.readOn();
  expect([write(2), write(3)]).toEqual(["appended", "appended"]);
  const lines = (await readFile(path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [first, second] = lines.slice(-2);
  expect(first, "what overtook it is another's").not.toHaveProperty("b");
  expect(second.b, "what it has written itself is its own").toBe(first.o);
  late?.close();
  journal.close();
});

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
