import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "@sessions/conformance";
import { openSqliteBackend, openSqliteStore } from "../src/open-sqlite-store.js";
import { altered } from "./temporary.js";

/** Options that a place may have. */
interface PlaceOptions {
  readonly search?: boolean;
}

/** A store in a file of its own. */
export async function filePlace(options: PlaceOptions = {}): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "sessions-sqlite-"));
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
    newerFormat: async () => altered(path, (db) => void db.pragma("user_version = 99")),
    otherProcess: {
      module: new URL("./open-in-worker.mjs", import.meta.url).href,
      argument: JSON.stringify({ path, ...options }),
    },
    cleanup: () => rm(folder, { recursive: true, force: true }),
  };
}
