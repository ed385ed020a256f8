import type { FailingBackend } from "@sessions/conformance";
import type { SessionBackend } from "@sessions/protocol/backend";
import Database from "better-sqlite3";
import { openSqliteBackend } from "../src/open-sqlite-store.js";

/** As many pages as a database may have when nobody sets a limit. */
const NO_LIMIT = 4_294_967_294;

/** A backend on a database that can be made to have no room left: SQLite itself refuses to make it larger. */
export async function fullBackend(path: string): Promise<FailingBackend> {
  const database = new Database(path);
  const backend = await openSqliteBackend({ database });
  return {
    backend: closingAlso(backend, database),
    fail() {
      database.pragma("max_page_count = 1"); // SQLite takes it as "not one page more"
      return () => void database.pragma(`max_page_count = ${NO_LIMIT}`);
    },
  };
}

function closingAlso(backend: SessionBackend, database: Database.Database): SessionBackend {
  return {
    capabilities: backend.capabilities,
    commit: (requests) => backend.commit(requests),
    read: (sessionId, select) => backend.read(sessionId, select),
    document: (sessionId) => backend.document(sessionId),
    list: (query) => backend.list(query),
    watch: (target, signal) => backend.watch(target, signal),
    verify: (sessionId) => backend.verify(sessionId),
    describe: () => backend.describe(),
    async close() {
      await backend.close();
      database.close();
    },
  };
}
