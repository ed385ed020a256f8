import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommitRequest } from "@sessions/protocol/backend";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openJsonFileStore, SessionError, type SessionStore } from "../../src/index.js";
import { type Faults, openFailing, openFailingBackend, osError } from "../fixtures/failing-file-system.js";

let root: string;
let faults: Faults;
let store: SessionStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-outcomes-"));
  faults = {};
  store = await openFailing({ root }, faults);
});

afterEach(async () => {
  for (const call of Object.keys(faults)) Reflect.deleteProperty(faults, call);
  await store.close();
  await rm(root, { recursive: true, force: true });
});

const say = (id: string): { id: string; role: string } => ({ id, role: "user" });

/** What another process sees. */
async function held(id = "s"): Promise<string[]> {
  await using other = await openJsonFileStore({ root });
  return (await other.getChatHistory(id)).map((message) => message.id);
}

/** Sends one message without a commit id, and again as its error asks for. Returns the first code. */
async function sentUntilDone(id: string): Promise<string | undefined> {
  const error: unknown = await store.addMessage("s", say(id)).catch((reason: unknown) => reason);
  for (const call of Object.keys(faults)) Reflect.deleteProperty(faults, call);
  if (!SessionError.is(error)) return undefined;
  const again = SessionError.is(error, "OUTCOME_UNKNOWN") ? { commitId: error.commitId } : {};
  await store.addMessage("s", say(id), again);
  return error.code;
}

describe("the first commit of a session", () => {
  test("is in doubt when the folder of all sessions cannot be synced", async () => {
    faults.syncFolder = (real, path) =>
      path.endsWith("sessions") ? Promise.reject(osError("EIO")) : real(path);
    await expect(store.incrementCounters("s", { n: 1 })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    const error = await store.createSession("s", { title: "t" }).catch((reason) => reason);
    expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN", commitId: expect.stringMatching(/./) });
    delete faults.syncFolder;
    await using other = await openJsonFileStore({ root });
    expect(await other.sessionExists("s")).toBe(true);
    const again = await store.createSession("s", { title: "t" }, { commitId: error.commitId });
    expect(again).toMatchObject({ revision: 1, duplicate: true });
  });

  test("is in doubt when its rename is reported as failed and has happened", async () => {
    faults.move = (real, from, to) => {
      real(from, to);
      throw osError("EIO");
    };
    expect(await sentUntilDone("a")).toBe("OUTCOME_UNKNOWN");
    expect(await held()).toEqual(["a"]);
  });

  test.each(["EIO", "ENOSPC"])("has changed nothing when its rename fails with %s", async (code) => {
    faults.move = () => {
      throw osError(code);
    };
    await expect(store.addMessage("s", say("a"))).rejects.toMatchObject({
      code: code === "EIO" ? "STORE_UNAVAILABLE" : "STORE_FULL",
    });
    expect(await held()).toEqual([]);
  });

  test("is acknowledged when the prepared folder of a lost race cannot be removed", async () => {
    await using other = await openJsonFileStore({ root });
    faults.syncFolder = async (real, path) => {
      delete faults.syncFolder;
      await other.addMessage("s", say("first"));
      return real(path);
    };
    faults.remove = () => {
      throw osError("EIO");
    };
    await store.addMessage("s", say("second"));
    expect(await held()).toEqual(["first", "second"]);
  });
});

describe("a commit to a session", () => {
  beforeEach(async () => {
    for (const id of ["one", "two"]) await store.addMessage("s", say(id));
  });

  test("is in doubt when it cannot be read back", async () => {
    faults.append = (real, file, bytes) => {
      const written = real(file, bytes);
      faults.stat = () => {
        throw osError("EIO");
      };
      return written;
    };
    expect(await sentUntilDone("three")).toBe("OUTCOME_UNKNOWN");
    expect(await held()).toEqual(["one", "two", "three"]);
  });

  test("is in doubt when its write is reported as failed and has happened", async () => {
    faults.append = (real, file, bytes) => {
      real(file, bytes);
      throw osError("EIO");
    };
    expect(await sentUntilDone("three")).toBe("OUTCOME_UNKNOWN");
    expect(await held()).toEqual(["one", "two", "three"]);
  });

  test.each([0, 20])("has changed nothing when its write fails after %i bytes", async (length) => {
    faults.append = (real, file, bytes) => {
      if (length > 0) real(file, bytes.subarray(0, length));
      throw osError("EIO");
    };
    expect(await sentUntilDone("three")).toBe("STORE_UNAVAILABLE");
    expect(await held()).toEqual(["one", "two", "three"]);
    expect(await store.getSession("s")).toMatchObject({ revision: 3 });
  });

  test("is in doubt when the file that was moved away cannot be read", async () => {
    faults.append = (real, file, bytes) => {
      const written = real(file, bytes);
      faults.stat = (stat, path) => (path.endsWith(".jsonl") ? undefined : stat(path));
      faults.statOpen = () => {
        throw osError("EIO");
      };
      return written;
    };
    await expect(store.addMessage("s", say("three"))).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  });

  test("is acknowledged when a segment that it replaces cannot be removed", async () => {
    const rotating = await openJsonFileStore({ root, rotateBytes: 0 });
    await rotating.addMessage("s", say("three"));
    await rotating.close();
    // A new process sweeps with its first commit, in case the last one died before it could.
    const codes: string[] = [];
    await using swept = await openFailing({ root, onWarning: ({ code }) => codes.push(code) }, faults);
    faults.list = (real, path) => {
      if (path.endsWith("sessions/s") && hasCommitted) throw osError("EIO");
      return real(path);
    };
    let hasCommitted = false;
    faults.append = (real, file, bytes) => {
      hasCommitted = true;
      return real(file, bytes);
    };
    await swept.addMessage("s", say("four"));
    await swept.addMessage("s", say("five"));
    expect(codes).toEqual(["LEFTOVERS"]);
    expect(await held()).toEqual(["one", "two", "three", "four", "five"]);
  });

  test("is acknowledged when a file cannot be closed", async () => {
    const closing = await openFailing({ root, rotateBytes: 0 }, faults);
    faults.close = (real, file) => {
      real(file);
      throw osError("EIO");
    };
    for (const id of ["three", "four", "five"]) await closing.addMessage("s", say(id));
    await closing.close();
    expect(await held()).toEqual(["one", "two", "three", "four", "five"]);
  });

  test("has changed nothing when the segment before it failed and no new one can be made", async () => {
    faults.sync = () => Promise.reject(osError("EIO"));
    await expect(store.addMessage("s", say("three"))).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
    await expect(store.addMessage("s", say("four"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await held()).toEqual(["one", "two", "three"]);
  });

  test("is in doubt with every other one of its batch while the disk fails", async () => {
    faults.sync = () => Promise.reject(osError("EIO"));
    const settled = await Promise.allSettled(["a", "b", "c"].map((id) => store.addMessage("s", say(id))));
    const codes = settled.map((one) => (one.status === "rejected" ? one.reason.code : "done"));
    expect(await held()).toEqual(["one", "two", "a", "b", "c"]);
    expect(codes).toEqual(["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN"]);
  });

  test("is counted once with all 512 of its batch when the disk fails once", async () => {
    faults.sync = (real, file) => {
      delete faults.sync;
      return real(file).then(() => Promise.reject(osError("EIO")));
    };
    const calls = Array.from({ length: 512 }, () => store.incrementCounters("s", { n: 1 }));
    // Time passes between the calls and their sending.
    const until = Date.now() + 5;
    while (Date.now() < until);
    const settled = await Promise.allSettled(calls);
    const unknown = settled.filter((one) => one.status === "rejected");
    for (const one of unknown) expect(one.reason).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    expect((await store.getSession("s"))?.counters).toEqual({ n: 512 });
  });

  test("of a write that is cut between two lines has its own outcome: the first is applied, the second is not", async () => {
    const backend = await openFailingBackend({ root }, faults);
    const long = (id: string): CommitRequest => {
      const messages = [{ id, role: "user", content: id.repeat(200_000) }];
      return { sessionId: "s", id, at: Date.now(), ops: [{ op: "append", messages, onExisting: "fail" }] };
    };
    faults.append = (real, file, bytes) => {
      delete faults.append;
      return real(file, bytes.subarray(0, bytes.indexOf(10) + 100));
    };
    const outcomes = await backend.commit(["a", "b", "c"].map(long)); // two in the first line, one in the second
    expect(outcomes).toMatchObject([
      { status: "duplicate", revision: 3 },
      { status: "duplicate", revision: 4 },
      { status: "rejected", error: { code: "STORE_FULL" } },
    ]);
    await backend.close();
    expect(await held()).toEqual(["one", "two", "a", "b"]);
  });
});
