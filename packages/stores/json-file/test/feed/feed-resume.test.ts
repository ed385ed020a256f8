import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openJsonFileStore, type SessionStore } from "../../src/index.js";
import { watched } from "./watched.js";

const SOON = { timeout: 15_000, interval: 5 };
const message = (content: string) => ({ role: "user", content });

let folder: string;
let root: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sessions-resume-"));
  root = join(folder, "store");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The cursor of a watcher that knows of everything until now, and has left. */
async function cursorNow(store: SessionStore): Promise<string> {
  const watcher = watched(store);
  await vi.waitFor(async () => {
    await store.addMessage("probe", message("are you there?"));
    expect(watcher.last().has("probe")).toBe(true);
  }, SOON);
  await watcher.stop();
  return watcher.changes.at(-1)?.cursor ?? "";
}

/** Resumes, and waits until a session is delivered at this revision. */
async function delivered(
  store: SessionStore,
  since: string,
  sessionId: string,
  revision: number,
): Promise<void> {
  const watcher = watched(store, { since });
  await vi.waitFor(() => expect(watcher.last().get(sessionId)).toBe(revision), SOON);
  await watcher.stop();
}

test("a cursor skips nothing of a copy of the store that went its own way to the same revisions", async () => {
  await using store = await openJsonFileStore({ root });
  await store.addMessage("s", message("one"));
  const copied = join(folder, "copy");
  await cp(root, copied, { recursive: true });
  await store.addMessage("s", message("two"));
  const since = await cursorNow(store);
  await using copy = await openJsonFileStore({ root: copied });
  await copy.addMessage("s", message("another two"));
  await delivered(copy, since, "s", 2);
});

test("a session's folder that was restored from a backup is delivered to a watcher that resumes", async () => {
  const [live, backup] = [join(root, "sessions", "s"), join(folder, "backup")];
  const before = await openJsonFileStore({ root });
  await before.addMessage("s", message("one"));
  await cp(live, backup, { recursive: true });
  await before.addMessage("s", message("two"));
  const since = await cursorNow(before);
  await before.close();
  await rm(live, { recursive: true });
  await cp(backup, live, { recursive: true });
  await using store = await openJsonFileStore({ root });
  await delivered(store, since, "s", 1);
});

test("a store that is open read-only resumes a watcher and gives cursors", async () => {
  await using writer = await openJsonFileStore({ root });
  const since = await cursorNow(writer);
  await writer.addMessage("a", message("x"));
  await using reader = await openJsonFileStore({ root, readOnly: true });
  const watcher = watched(reader, { since });
  await vi.waitFor(() => expect(watcher.last().get("a")).toBe(1), SOON);
  await watcher.stop();
  await writer.addMessage("b", message("x"));
  await delivered(reader, watcher.changes.at(-1)?.cursor ?? "", "b", 1);
});
