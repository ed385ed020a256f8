import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "@sessions/conformance";
import { openSqliteBackend, openSqliteStore } from "../src/open-sqlite-store.js";
import { fullBackend } from "./full-backend.js";
import { removedPart } from "./stored-parts.js";
import { altered } from "./temporary.js";

/** Options that a place may have. */
interface PlaceOptions {
  readonly search?: boolean;
}

/** A store in a file of its own, in the folder `parent`. */
export async function filePlace(options: PlaceOptions = {}, parent: string = tmpdir()): Promise<Place> {
  const folder = await mkdtemp(join(parent, "sessions-sqlite-"));
  const path = join(folder, "sessions.db");
  return {
    open: () => openSqliteStore({ path, ...options }),
    openBackend: () => openSqliteBackend({ path, ...options }),
    corrupt: async (sessionId) =>
      altered(path, (db) => {
        db.prepare("UPDATE sessions SET state = replace(state, '\"head\"', '\"haed\"') WHERE id = ?").run(
          sessionId,
        );
      }),
    removePart: async (sessionId, number) => altered(path, (db) => removedPart(db, sessionId, number)),
    plantForeign: async () => {
      altered(path, (db) =>
        db.exec("CREATE TABLE IF NOT EXISTS notes (text); INSERT INTO notes VALUES ('mine')"),
      );
      await writeFile(join(folder, ".DS_Store"), "not the store's");
      await mkdir(join(folder, "notes"), { recursive: true });
    },
    newerFormat: async () => altered(path, (db) => void db.pragma("user_version = 99")),
    // That a disk does not confirm a write is what `npm run faults` shows: it takes a failing system call.
    writeFailures: { refused: () => fullBackend(path) },
    otherProcess: {
      module: new URL("./open-in-worker.mjs", import.meta.url).href,
      argument: JSON.stringify({ path, ...options }),
    },
    cleanup: () => rm(folder, { recursive: true, force: true }),
  };
}
