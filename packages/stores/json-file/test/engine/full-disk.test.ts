import { execFileSync } from "node:child_process";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStore } from "@sessions/protocol/backend";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FileSystem } from "../../src/engine/file-system.js";
import { nodeFileSystem } from "../../src/engine/node-file-system.js";
import { openJsonFileStore, SessionError, type SessionStore } from "../../src/index.js";
import { openBackend } from "../fixtures/open-backend.js";

/** A disk that can be filled and emptied. */
interface Disk {
  open(): Promise<SessionStore>;
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
}

/** A file system of two megabytes. Only root may mount one. */
async function smallDisk(folder: string): Promise<Disk> {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]);
  const ballast = join(folder, "ballast");
  const root = join(folder, "store");
  return {
    open: () => openJsonFileStore({ root }),
    async fill() {
      // Down to the last byte: blocks first, then what a block still holds.
      for (const size of [64 * 1024, 4096, 1]) {
        for (;;) {
          const error = await writeFile(ballast, Buffer.alloc(size), { flag: "a" }).catch((thrown) => thrown);
          if (error !== undefined) break;
        }
      }
    },
    makeRoom: () => truncate(ballast, 0),
    async remove() {
      execFileSync("umount", [folder]);
    },
  };
}

/** Where mounting is not allowed: a file system that takes a limited number of bytes, and cuts the write that exceeds it. */
async function meteredDisk(folder: string): Promise<Disk> {
  let room = Number.POSITIVE_INFINITY;
  const real = nodeFileSystem({ folder: 0o700, file: 0o600 });
  const metered: FileSystem = {
    ...real,
    append(file, bytes) {
      if (room <= 0)
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      const written = real.append(file, bytes.subarray(0, room));
      room -= written;
      return written;
    },
  };
  return {
    open: async () => createStore(await openBackend({ root: folder }, metered)),
    async fill() {
      room = 50;
    },
    async makeRoom() {
      room = Number.POSITIVE_INFINITY;
    },
    remove: () => Promise.resolve(),
  };
}

const disks =
  process.getuid?.() === 0
    ? { "a small tmpfs": smallDisk, "a metered disk": meteredDisk }
    : { "a metered disk": meteredDisk };

describe.each(Object.entries(disks))("%s that is full", (_name, prepare) => {
  let folder: string;
  let disk: Disk;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sessions-full-"));
    disk = await prepare(folder);
  });

  afterEach(async () => {
    await disk.remove();
    await rm(folder, { recursive: true, force: true });
  });

  test("refuses commits with STORE_FULL, loses nothing that was acknowledged, and takes commits again when there is room", async () => {
    const acknowledged: string[] = [];
    const say = async (store: SessionStore, id: string, content: string): Promise<unknown> => {
      const error = await store.addMessage("s", { id, role: "user", content }).catch((thrown) => thrown);
      if (SessionError.is(error)) return error.code;
      acknowledged.push(id);
      return "acknowledged";
    };
    const held = async (store: SessionStore): Promise<string[]> =>
      (await store.getChatHistory("s")).map(({ id }) => id);

    const store = await disk.open();
    expect(await say(store, "before", "x")).toBe("acknowledged");
    await disk.fill();
    const outcomes = new Set<unknown>();
    for (let index = 0; index < 40; index++)
      outcomes.add(await say(store, `full-${index}`, "y".repeat(100 * index)));
    expect(outcomes).toContain("STORE_FULL");
    expect([...outcomes].every((outcome) => outcome === "acknowledged" || outcome === "STORE_FULL")).toBe(
      true,
    );
    expect(await store.addMessage("new", { role: "user" }).catch((thrown) => thrown.code)).toBe("STORE_FULL");
    expect(await store.sessionExists("new"), "no session is half made").toBe(false);
    expect(await held(store)).toEqual(acknowledged);
    await store.close();

    const reopened = await disk.open();
    expect(await held(reopened)).toEqual(acknowledged);
    await disk.makeRoom();
    expect(await say(reopened, "after", "z")).toBe("acknowledged");
    expect(await held(reopened)).toEqual(acknowledged);
    expect(await reopened.verify("s")).toMatchObject({ ok: true });
    await reopened.close();
  });

  test("gives each of many concurrent callers its own outcome", async () => {
    const store = await disk.open();
    await store.addMessage("s", { id: "before", role: "user" });
    await disk.fill();
    const calls = Array.from({ length: 64 }, (_, index) =>
      store.addMessage("s", { id: `m${index}`, role: "user", content: "y".repeat(200) }),
    );
    const settled = await Promise.allSettled(calls);
    const acknowledged = settled.flatMap((one, index) => (one.status === "fulfilled" ? [`m${index}`] : []));
    for (const one of settled)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "STORE_FULL" });
    await disk.makeRoom();
    await store.addMessage("s", { id: "after", role: "user" });
    const ids = (await store.getChatHistory("s")).map(({ id }) => id);
    expect(ids).toEqual(["before", ...acknowledged, "after"]);
    await store.close();
  });
});
