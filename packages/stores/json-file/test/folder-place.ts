import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "@sessions/conformance";
import { openJsonFileBackend, openJsonFileStore } from "../src/open-json-file-store.js";
import { folderName } from "../src/session-path.js";

/** A store in a folder of its own. */
export async function folderPlace(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), "sessions-json-file-"));
  return {
    open: () => openJsonFileStore({ root }),
    openBackend: () => openJsonFileBackend({ root }),
    async corrupt(sessionId) {
      const path = join(root, "sessions", folderName(sessionId), "1.jsonl");
      const bytes = await readFile(path);
      const middle = Math.floor(bytes.length / 2);
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      await writeFile(path, bytes);
    },
    newerFormat: () => writeFile(join(root, "format.json"), '{"format":"sessions-json-file","version":99}\n'),
    otherProcess: { module: new URL("./open-in-worker.mjs", import.meta.url).href, argument: root },
    cleanup: () => rm(root, { recursive: true, force: true }),
  };
}
