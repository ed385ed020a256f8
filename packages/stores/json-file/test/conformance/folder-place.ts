import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "@sessions/conformance";
import { openJsonFileBackend } from "../../src/open-json-file-backend.js";
import { openJsonFileStore } from "../../src/open-json-file-store.js";
import type { JsonFileStoreOptions } from "../../src/options.js";
import { folderName } from "../../src/session/names/folder-name.js";
import { failingBackend } from "./failing-backend.js";

/** A store in a folder of its own, in the folder `parent`. */
export async function folderPlace(
  options: Omit<JsonFileStoreOptions, "root" | "clock"> = {},
  parent: string = tmpdir(),
): Promise<Place> {
  const root = await mkdtemp(join(parent, "sessions-json-file-"));
  return {
    open: () => openJsonFileStore({ root, ...options }),
    openBackend: () => openJsonFileBackend({ root, ...options }),
    async corrupt(sessionId) {
      const path = await segmentOf(root, sessionId);
      const bytes = await readFile(path);
      const middle = Math.floor(bytes.length / 2);
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      await writeFile(path, bytes);
    },
    // The newest segment holds the whole session: those before it, which may not have been removed yet, are no part of it.
    async removePart(sessionId, number) {
      if (number > 0) return undefined;
      const path = await segmentOf(root, sessionId);
      await rm(path);
      return path;
    },
    async plantForeign() {
      const sessions = join(root, "sessions");
      await writeFile(join(root, ".DS_Store"), "not the store's");
      await writeFile(join(sessions, ".DS_Store"), "not the store's");
      await mkdir(join(sessions, "Not A Session"), { recursive: true });
      await writeFile(join(sessions, "Not A Session", "notes.txt"), "not the store's");
    },
    newerFormat: () => writeFile(join(root, "format.json"), '{"format":"sessions-json-file","version":99}\n'),
    writeFailures: {
      refused: () => failingBackend({ root, ...options }, "refused"),
      unconfirmed: () => failingBackend({ root, ...options }, "unconfirmed"),
    },
    otherProcess: {
      module: new URL("./open-in-worker.mjs", import.meta.url).href,
      argument: JSON.stringify({ root, ...options }),
    },
    cleanup: () => rm(root, { recursive: true, force: true }),
  };
}

/** The newest segment of a session. */
export async function segmentOf(root: string, sessionId: string): Promise<string> {
  const folder = join(root, "sessions", folderName(sessionId));
  const numbers = (await readdir(folder))
    .flatMap((name) => /^(\d+)\.jsonl$/.exec(name)?.[1] ?? [])
    .map(Number);
  return join(folder, `${Math.max(...numbers)}.jsonl`);
}
