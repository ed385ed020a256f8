import type { SqliteStoreOptions } from "../options.js";
import { openExisting } from "./open-existing.js";

/** Whether a database has a search index, so that opening it with `search: true` does not make one. */
export async function hasSearchIndex(options: SqliteStoreOptions): Promise<boolean> {
  const backend = await openExisting({ ...options, search: false });
  try {
    return await backend.hasSearchIndex();
  } finally {
    await backend.close();
  }
}
