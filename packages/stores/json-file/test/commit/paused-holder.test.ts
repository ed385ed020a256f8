import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type MessageInput, openJsonFileStore } from "../../src/index.js";

/** Older than this a lock counts as abandoned. */
const STALE_MS = 10_000;

let root: string;
let sleeper: ChildProcess | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-paused-"));
});

afterEach(async () => {
  sleeper?.kill("SIGKILL");
  await rm(root, { recursive: true, force: true });
});

const long = (id: string): MessageInput => ({ id, role: "user", content: "x".repeat(100_000) });
const short = (id: string): MessageInput => ({ id, role: "user", content: "y" });

/** A process that has stopped right before this moment of writing these messages. */
async function stoppedBefore(
  stopBefore: string,
  messages: MessageInput,
  rotateBytes = 1 << 20,
): Promise<ChildProcess> {
  const argument = JSON.stringify({ root, rotateBytes, stopBefore, messages });
  const worker = fork(fileURLToPath(new URL("../processes/paused-worker.mjs", import.meta.url)), [argument]);
  sleeper = worker;
  const stopped = async (): Promise<boolean> =>
    / T /.test(await readFile(`/proc/${worker.pid}/stat`, "utf8").catch(() => ""));
  while (!(await stopped())) {
    if (worker.exitCode !== null) throw new Error(`the worker ended with ${worker.exitCode}`);
    await delay(5);
  }
  return worker;
}

async function woken(worker: ChildProcess): Promise<unknown> {
  worker.kill("SIGCONT");
  const [answer] = await once(worker, "message");
  return answer;
}

/** What a store sees that was just opened. */
async function ids(): Promise<readonly string[]> {
  await using fresh = await openJsonFileStore({ root });
  expect(await fresh.verify("s")).toMatchObject({ ok: true });
  return (await fresh.getChatHistory("s")).map(({ id }) => id);
}

describe("a paused writer", () => {
  test("that holds a stale lock stops no other writer, and cannot overwrite newer commits when it wakes", async () => {
    await using store = await openJsonFileStore({ root });
    await store.addMessage("s", short("first"));
    const worker = await stoppedBefore("the write", long("sleeper"));
    const lock = join(root, "locks", "s.lock");
    const { ino: held } = await stat(lock);

    const meanwhile = Array.from({ length: 20 }, (_, index) => `meanwhile-${index}`);
    for (const id of meanwhile) await store.addMessage("s", short(id));
    expect((await stat(lock)).ino, "no writer waited until the lock was stale").toBe(held);
    await store.addMessage("s", long("long, without the lock"));
    expect((await stat(lock)).ino, "nor did one with a long record").toBe(held);

    while (Date.now() - (await stat(lock)).mtimeMs <= STALE_MS) await delay(100);
    await using other = await openJsonFileStore({ root });
    await other.addMessage("s", long("thief"));
    const before = ["first", ...meanwhile, "long, without the lock", "thief"];
    expect(await ids()).toEqual(before);
    expect(await woken(worker)).toEqual({ revision: before.length + 1 });
    await store.addMessage("s", long("last"));
    expect(await ids()).toEqual([...before, "sleeper", "last"]);
    expect((await other.getChatHistory("s")).map(({ id }) => id)).toEqual(await ids());
  }, 40_000);

  test.each(["the write", "the look back"])(
    "that stops before %s of a short record commits once and in order",
    async (moment) => {
      await using store = await openJsonFileStore({ root });
      await store.addMessage("s", short("first"));
      const worker = await stoppedBefore(moment, short("sleeper"));
      for (const id of ["a", "b"]) await store.addMessage("s", short(id));
      const answer = await woken(worker);
      const landed = moment === "the look back";
      expect(answer).toEqual({ revision: landed ? 2 : 4 });
      expect(await ids()).toEqual(landed ? ["first", "sleeper", "a", "b"] : ["first", "a", "b", "sleeper"]);
    },
  );

  test.each(["the seal", "the move"])(
    "that stops before %s of a rotation loses nothing, and others rotate",
    async (moment) => {
      await using store = await openJsonFileStore({ root, rotateBytes: 0 });
      await store.addMessage("s", short("first"));
      const worker = await stoppedBefore(moment, short("sleeper"), 0);
      for (const id of ["a", "b", "c"]) await store.addMessage("s", short(id));
      expect(await woken(worker)).toEqual({ revision: 2 });
      await store.addMessage("s", short("last"));
      expect(await ids()).toEqual(["first", "sleeper", "a", "b", "c", "last"]);
    },
  );
});
