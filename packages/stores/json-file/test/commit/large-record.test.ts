import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createStore } from "@sessions/protocol/backend";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FileSystem } from "../../src/engine/file-system.js";
import { nodeFileSystem } from "../../src/engine/node-file-system.js";
import { openJsonFileStore, type SessionStore } from "../../src/index.js";
import { openBackend } from "../fixtures/open-backend.js";
import { SegmentWriter } from "../fixtures/segment-writer.js";
import { OtherProcess } from "../processes/other-process.js";

/** So long a message takes the lock; without it others would always be faster. */
const LARGE = "x".repeat(8 * 1024 * 1024 - 200);

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-large-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Three processes that never stop writing to the session. */
async function threeBusyWriters(): Promise<readonly OtherProcess[]> {
  const writers = ["a", "b", "c"].map((name) => new OtherProcess("./busy-writer.mjs", { root, name }));
  while (writers.some((writer) => writer.said.length === 0)) await delay(10);
  return writers;
}

async function addLarge(store: SessionStore): Promise<{ readonly ms: number; readonly error?: unknown }> {
  const begun = performance.now();
  const error = await store.addMessage("s", { id: "large", role: "user", content: LARGE }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { ms: performance.now() - begun, ...(error === undefined ? {} : { error }) };
}

test("a record of eight megabytes is not starved by three busy writers, and no writer loses anything", async () => {
  await using store = await openJsonFileStore({ root });
  const writers = await threeBusyWriters();
  const { ms, error } = await addLarge(store);
  expect(error).toBeUndefined();
  console.log(`8 MiB against three busy writers: in after ${Math.round(ms)} ms`);
  await Promise.all(writers.map((writer) => writer.finish()));
  await using fresh = await openJsonFileStore({ root });
  const ids = (await fresh.getChatHistory("s")).map(({ id }) => id);
  const counts = writers.flatMap(({ said }) => said).flatMap((one) => countIn(one));
  expect(ids).toHaveLength(counts.reduce((sum, count) => sum + count, 1));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id === "large")).toHaveLength(1);
}, 60_000);

/** A writer that is always faster with a short record, unless a lock asks it to wait. */
function faster(isAsked: () => boolean): FileSystem {
  const real = nodeFileSystem({ folder: 0o700, file: 0o600 });
  let count = 0;
  return {
    ...real,
    append(file, bytes) {
      if (bytes.length > LARGE.length && !isAsked()) appendShort(real, `short-${count++}`);
      return real.append(file, bytes);
    },
  };
}

function appendShort(fileSystem: FileSystem, id: string): void {
  const writer = new SegmentWriter(join(root, "sessions", "s", "1.jsonl"), fileSystem);
  expect(writer.say(id)).toBe("appended");
  writer.close();
}

test.each(["with the lock it is committed at once", "control: without the lock it never is"])(
  "a large record against a writer that is always faster: %s",
  async (title) => {
    const lockless = { acquire: () => Promise.resolve(undefined), present: () => undefined };
    const control = title.startsWith("control");
    const fileSystem = faster(() => existsSync(join(root, "locks", "s.lock")));
    await using store = createStore(
      await openBackend(
        { root, lockDeadlineMs: 100 },
        fileSystem,
        control ? { fileLock: () => lockless } : {},
      ),
    );
    await store.addMessage("s", { id: "first", role: "user" });
    const { error } = await addLarge(store);
    if (control) expect(error).toMatchObject({ code: "STORE_BUSY" });
    else expect(error).toBeUndefined();
    const ids = (await store.getChatHistory("s")).map(({ id }) => id);
    expect(ids.filter((id) => id === "large")).toHaveLength(control ? 0 : 1);
    if (control) expect(ids.length).toBeGreaterThan(3);
  },
);

function countIn(said: unknown): readonly number[] {
  return typeof said === "object" && said !== null && "count" in said ? [Number(said.count)] : [];
}
