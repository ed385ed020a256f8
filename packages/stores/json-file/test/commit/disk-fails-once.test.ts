import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openJsonFileStore, type SessionStore } from "../../src/index.js";
import { ManualClock } from "../crash/manual-clock.js";
import { type Faults, openFailing, osError } from "../fixtures/failing-file-system.js";

async function temporaryRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "sessions-fails-once-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

/** A store on a disk, and the calls that fail on it. */
async function onDisk(root: string): Promise<{ readonly store: SessionStore; readonly faults: Faults }> {
  const faults: Faults = {};
  // Within a millisecond the same call again makes the same line.
  const store = await openFailing({ root, clock: new ManualClock(1) }, faults);
  onTestFinished(() => store.close());
  return { store, faults };
}

/** The first look at this path fails. */
function failStatOnce(faults: Faults, isMeant: (path: string) => boolean): void {
  let hasFailed = false;
  faults.stat = (real, path) => {
    if (hasFailed || !isMeant(path)) return real(path);
    hasFailed = true;
    throw osError("EIO");
  };
}

test("a commit whose outcome was unknown because a stat failed is a duplicate when it is sent again", async () => {
  const root = await temporaryRoot();
  const { store, faults } = await onDisk(root);
  const send = () => store.addMessage("s", { id: "m2", role: "user", content: "2" }, { commitId: "c2" });
  await store.addMessage("s", { id: "m0", role: "user", content: "0" });
  await store.addMessage("s", { id: "m1", role: "user", content: "1" });
  faults.append = (real, file, bytes) => {
    delete faults.append;
    failStatOnce(faults, (path) => path.endsWith(".jsonl"));
    return real(file, bytes);
  };
  await expect(send()).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(await send()).toMatchObject({ revision: 3, duplicate: true });
  await using other = await openJsonFileStore({ root });
  expect((await other.getChatHistory("s")).map(({ id }) => id)).toEqual(["m0", "m1", "m2"]);
  expect(await other.verify("s")).toMatchObject({ ok: true });
});

test("a session whose stat failed once is listed", async () => {
  const root = await temporaryRoot();
  await using writer = await openJsonFileStore({ root });
  for (const id of ["a", "b", "c"]) await writer.addMessage(id, { role: "user", content: id });
  const { store, faults } = await onDisk(root);
  failStatOnce(faults, (path) => path.includes(join("sessions", "b")));
  expect((await store.listSessions()).items.map(({ id }) => id).sort()).toEqual(["a", "b", "c"]);
});

test("a store opens although the leftovers of killed processes cannot be listed", async () => {
  const root = await temporaryRoot();
  await (await openJsonFileStore({ root })).close();
  const list: NonNullable<Faults["list"]> = (real, folder) => {
    if (folder === join(root, "tmp")) throw osError("EIO");
    return real(folder);
  };
  await using store = await openFailing({ root }, { list });
  expect((await store.describe()).warnings.join()).toContain(join(root, "tmp"));
});

test("a format.json that a full disk has cut short is not put in place", async () => {
  const root = await temporaryRoot();
  const append: NonNullable<Faults["append"]> = (real, file, bytes) => real(file, bytes.subarray(0, 10));
  await expect(openFailing({ root }, { append })).rejects.toMatchObject({ code: "STORE_FULL" });
  await using store = await openJsonFileStore({ root });
  expect(await store.sessionExists("s")).toBe(false);
});
