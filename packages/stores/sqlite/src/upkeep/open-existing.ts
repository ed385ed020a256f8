import { SessionError } from "@sessions/protocol/backend";
import { databasePath, isThere } from "../engine/database-path.js";
import { openBackend } from "../open-backend.js";
import type { SqliteStoreOptions } from "../options.js";
import type { SqliteBackend } from "../sqlite-backend.js";

/** Opens a database for a tool that looks after it, which must not make one. */
export async function openExisting(options: SqliteStoreOptions): Promise<SqliteBackend> {
  if (options.database === undefined) {
    const path = databasePath(options.path);
    if (!isThere(path)) throw SessionError.of("STORE_UNAVAILABLE", noDatabase(path), {});
  }
  return openBackend(options);
}

function noDatabase(path: string): string {
  return `There is no database at ${path}. Check the path; nothing was made there.`;
}
