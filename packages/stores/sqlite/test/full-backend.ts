import type { FailingBackend } from "@sessions/conformance";
import Database from "better-sqlite3";
import { openSqliteBackend } from "../src/open-sqlite-store.js";
import { withBackendMethods } from "./with-backend-methods.js";

/** SQLite's own maximum of pages. */
const MAX_PAGES = 4_294_967_294;

/** A backend on a database that can be made full: SQLite itself refuses to enlarge it. */
export async function fullBackend(path: string): Promise<FailingBackend> {
  const database = new Database(path);
  const backend = await openSqliteBackend({ database });
  return {
    backend: withBackendMethods(backend, {
      async close() {
        await backend.close();
        database.close();
      },
    }),
    fail() {
      database.pragma("max_page_count = 1"); // SQLite raises it to the present size
      return () => void database.pragma(`max_page_count = ${MAX_PAGES}`);
    },
  };
}
