import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createStore } from "@sessions/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openJsonFileStore, type SessionStore } from "../src/index.js";
import { openJsonFileBackend } from "../src/open-json-file-store.js";
import { OtherProcess } from "./other-process.js";

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

test("a record of eight megabytes is not starved by three busy writers, and nobody loses anything", async () => {
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

test("control: without the lock it is", async () => {
  const lockless = { acquire: () => Promise.resolve(undefined), standing: () => undefined };
  await using store = createStore(
    await openJsonFileBackend({ root, lockDeadlineMs: 2000 }, undefined, { fileLock: () => lockless }),
  );
  const writers = await threeBusyWriters();
  const { error } = await addLarge(store);
  expect(error).toMatchObject({ code: "STORE_BUSY" });
  await Promise.all(writers.map((writer) => writer.finish()));
}, 60_000);

function countIn(said: unknown): readonly number[] {
  return typeof said === "object" && said !== null && "count" in said ? [Number(said.count)] : [];
}
