import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStore } from "@sessions/protocol/backend";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { nodeFileSystem } from "../../src/engine/node-file-system.js";
import { openJsonFileStore, type SessionStore, systemClock } from "../../src/index.js";
import { NODE_PLATFORM } from "../../src/platform.js";
import { openBackend } from "../fixtures/open-backend.js";
import { openOnPlatform, WITHOUT_POLLING, WITHOUT_WATCHES } from "../fixtures/open-on-platform.js";
import { OtherProcess } from "../processes/other-process.js";
import { type Watched, watched } from "./watched.js";

const SOON = { timeout: 15_000, interval: 5 };
const message = (content: string) => ({ role: "user", content });

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-feed-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Another process adds `rounds` messages to each session; resolves when it has. */
function written(sessions: readonly string[], rounds = 1): Promise<void> {
  return new OtherProcess("./write-in-process.mjs", { root, sessions, rounds }).end();
}

/** A watcher that has begun to listen: it got a change of session "probe". */
async function listening(store: SessionStore): Promise<Watched> {
  const watcher = watched(store);
  await vi.waitFor(async () => {
    await store.addMessage("probe", message("are you there?"));
    expect(watcher.last().has("probe")).toBe(true);
  }, SOON);
  return watcher;
}

describe("changes of another process", () => {
  const ways = {
    "through the doorbell alone": WITHOUT_POLLING,
    "by polling alone": WITHOUT_WATCHES,
    "by both": {},
  };
  for (const [way, platform] of Object.entries(ways)) {
    test(`reach a watcher of the store ${way}`, async () => {
      await using store = await openOnPlatform({ root }, platform);
      const watcher = await listening(store);
      await written(["a", "b"], 3);
      await vi.waitFor(() => {
        expect(watcher.last().get("a")).toBe(3);
        expect(watcher.last().get("b")).toBe(3);
      }, SOON);
      await watcher.stop();
    });

    test(`reach a watcher of one session ${way}`, async () => {
      await using store = await openOnPlatform({ root }, platform);
      const watcher = watched(store, { session: "a", since: 0 });
      await written(["a", "b"], 3);
      await vi.waitFor(() => expect(watcher.last()).toEqual(new Map([["a", 3]])), SOON);
      await watcher.stop();
    });

    test(`to 200 sessions, by two writers, reach a watcher ${way}, the last change of each`, async () => {
      await using store = await openOnPlatform({ root }, platform);
      const watcher = await listening(store);
      const sessions = Array.from({ length: 200 }, (_, n) => `session-${n}`);
      await Promise.all([written(sessions, 3), written(sessions.toReversed(), 3)]);
      await vi.waitFor(() => {
        for (const id of sessions) expect(watcher.last().get(id), id).toBe(6);
      }, SOON);
      await watcher.stop();
    });
  }

  test("control: reach no watcher without doorbell and polling", async () => {
    await using store = await openOnPlatform({ root }, { ...WITHOUT_POLLING, ...WITHOUT_WATCHES });
    const watcher = await listening(store);
    await written(["a"]);
    await store.addMessage("own", message("this process needs no file to tell itself"));
    await vi.waitFor(() => expect(watcher.last().has("own")).toBe(true), SOON);
    expect(watcher.last().has("a")).toBe(false);
    await watcher.stop();
  });
});

describe("a doorbell file", () => {
  test("that is emptied again and again hides no last change", async () => {
    await using store = await openOnPlatform({ root }, WITHOUT_POLLING);
    const watcher = await listening(store);
    for (let n = 0; n < 4; n++) {
      // Past its limit: the next write empties it.
      await writeFile(join(root, "doorbell"), `${"x".repeat(99)}\n`.repeat(700), { flag: "a" });
      await written([`s${n}`]);
      expect((await stat(join(root, "doorbell"))).size).toBeLessThan(64 * 1024);
      await vi.waitFor(() => expect(watcher.last().get(`s${n}`)).toBe(1), SOON);
    }
    await watcher.stop();
  });

  test("that is removed is made again, and later changes reach watchers", async () => {
    await using store = await openOnPlatform({ root }, WITHOUT_POLLING);
    const watcher = await listening(store);
    for (const id of ["a", "b"]) {
      await rm(join(root, "doorbell"), { force: true });
      await written([id]);
      await vi.waitFor(() => expect(watcher.last().get(id)).toBe(1), SOON);
    }
    await rm(join(root, "doorbell"), { force: true });
    await store.addMessage("own", message("a writer that had it open"));
    // The doorbell is written a moment after the outcome.
    await vi.waitFor(
      async () => expect(await readFile(join(root, "doorbell"), "latin1")).toBe("own\n"),
      SOON,
    );
    await watcher.stop();
  });

  test("that cannot be written to is one warning: commits succeed, and polling finds the changes", async () => {
    await mkdir(join(root, "doorbell"));
    const warnings: unknown[] = [];
    await using store = await openOnPlatform({ root, onWarning: (warning) => warnings.push(warning) }, {});
    const watcher = await listening(store);
    await written(["a"], 2);
    await vi.waitFor(() => expect(watcher.last().get("a")).toBe(2), SOON);
    await store.addMessage("probe", message("again"));
    expect(warnings).toMatchObject([{ code: "DOORBELL_FAILED", path: join(root, "doorbell") }]);
    expect((await store.describe()).warnings).toHaveLength(1);
    await watcher.stop();
  });

  test("with names that lead elsewhere makes no watcher follow them", async () => {
    await using store = await openOnPlatform({ root }, WITHOUT_POLLING);
    const watcher = await listening(store);
    await writeFile(join(root, "doorbell"), "../../etc\n.\n\n\0\nabsent\nhalf a li", { flag: "a" });
    await written(["a"]);
    await written(["b"]);
    await vi.waitFor(() => expect(watcher.last().get("b")).toBe(1), SOON);
    await watcher.stop();
  });

  test("watches that are used up are a warning and no failure", async () => {
    const warnings: unknown[] = [];
    const onWarning = (warning: unknown) => warnings.push(warning);
    await using store = await openOnPlatform({ root, onWarning }, WITHOUT_WATCHES);
    const watcher = await listening(store);
    expect(warnings).toMatchObject([{ code: "WATCH_UNAVAILABLE", path: root, cause: { code: "ENOSPC" } }]);
    await watcher.stop();
  });
});

describe("an expiry", () => {
  for (const session of ["s", undefined]) {
    test(`reaches a watcher of ${session ?? "the store"} when its time comes, without doorbell and polling`, async () => {
      await using store = await openOnPlatform({ root }, WITHOUT_POLLING);
      await store.createSession("put-off", { expiresAt: Date.now() + 100 });
      await store.createSession("s", { expiresAt: Date.now() + 3_600_000 });
      const watcher = watched(store, session === undefined ? {} : { session });
      await vi.waitFor(async () => {
        await store.patchSession("put-off", { expiresAt: Date.now() + 3_600_000 });
        await store.patchSession("s", { expiresAt: Date.now() + 100 });
        expect(watcher.last().has("s")).toBe(true);
      }, SOON);
      await vi.waitFor(
        () => expect(watcher.changes.at(-1)).toMatchObject({ sessionId: "s", deleted: true }),
        SOON,
      );
      await watcher.stop();
    });
  }
});

describe("a watcher that comes back with a cursor", () => {
  test("gets a commit that was begun before the cursor and became visible after it", async () => {
    const late = { ...systemClock, now: () => Date.now() - 5_000 };
    await using store = await openJsonFileStore({ root });
    await using slow = await openJsonFileStore({ root, clock: late });
    const watcher = await listening(store);
    await watcher.stop();
    await slow.addMessage("late", message("its time is before the cursor"));
    const again = watched(store, { since: watcher.changes.at(-1)?.cursor });
    await vi.waitFor(() => expect(again.last().get("late")).toBe(1), SOON);
    await again.stop();
  });
});

test("polling sessions that nobody writes to opens and reads no journal", async () => {
  let looks = 0;
  let opened = 0;
  const files = nodeFileSystem({ folder: 0o700, file: 0o600 });
  const counting = {
    ...files,
    open: (path: string, writable: boolean) => {
      if (path.endsWith(".jsonl")) opened++;
      return files.open(path, writable);
    },
  };
  const pollIntervalMs = () => {
    looks++;
    return 5;
  };
  await written(Array.from({ length: 300 }, (_, n) => `s${n}`)); // more than are kept open
  const backend = await openBackend({ root }, counting, { ...NODE_PLATFORM, pollIntervalMs });
  await using store = createStore(backend);
  const watcher = watched(store);
  await vi.waitFor(() => expect(looks).toBeGreaterThan(0), SOON);
  const before = opened;
  expect(before).toBe(300);
  await vi.waitFor(() => expect(looks).toBeGreaterThan(3), SOON);
  expect(opened).toBe(before);
  await watcher.stop();
});

describe("nothing is left behind", () => {
  test("a process that holds a turn and has nothing else to do ends", async () => {
    const other = new OtherProcess("./turn-in-process.mjs", { root });
    await other.end();
  });

  test("a session whose folder was removed is forgotten, and delivered again when it is back", async () => {
    let looks = 0; // each look at everything asks when the next one should be
    const pollIntervalMs = () => {
      looks++;
      return 5;
    };
    await using store = await openOnPlatform({ root }, { pollIntervalMs });
    const watcher = await listening(store);
    await written(["a"]);
    await vi.waitFor(() => expect(watcher.last().get("a")).toBe(1), SOON);
    await rm(join(root, "sessions", "a"), { recursive: true });
    const before = looks;
    await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 1), SOON);
    await written(["a"]);
    await vi.waitFor(
      () => expect(watcher.changes.filter(({ sessionId }) => sessionId === "a")).toHaveLength(2),
      SOON,
    );
    await watcher.stop();
  });

  test.runIf(process.platform === "linux")("neither watches nor files", async () => {
    const store = await openJsonFileStore({ root });
    const watchers = [await listening(store), watched(store, { session: "a", since: 0 })];
    await vi.waitFor(async () => expect(await inotifyWatches(root)).toBe(1), SOON);
    for (const watcher of watchers) await watcher.stop();
    expect(await inotifyWatches(root)).toBe(0);
    expect(await openFiles(root)).not.toEqual([]);
    await store.close();
    expect(await openFiles(root)).toEqual([]);
  });
});

/** How many watches this process has on a folder, by what the kernel says. */
async function inotifyWatches(folder: string): Promise<number> {
  const inode = (await stat(folder)).ino.toString(16);
  const infos = await Promise.all((await readdir("/proc/self/fdinfo")).map(contents));
  return infos
    .join("\n")
    .split("\n")
    .filter((line) => line.startsWith("inotify") && line.includes(` ino:${inode} `)).length;
}

// The list of open files has the file by which it was read.
async function contents(file: string): Promise<string> {
  return readFile(`/proc/self/fdinfo/${file}`, "latin1").catch(gone);
}

async function openFiles(folder: string): Promise<readonly string[]> {
  const links = (await readdir("/proc/self/fd")).map((file) => readlink(`/proc/self/fd/${file}`).catch(gone));
  return (await Promise.all(links)).filter((path) => path.startsWith(folder));
}

function gone(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  throw error;
}
