import { openFailure } from "./engine/open-failure.js";
import type { SqliteStoreOptions } from "./options.js";
import { SqliteBackend } from "./sqlite-backend.js";
import { openSqliteContext } from "./sqlite-context.js";

/** Opens a database as a backend, for this package's own tools. */
export async function openBackend(options: SqliteStoreOptions): Promise<SqliteBackend> {
  const context = await openSqliteContext(options);
  try {
    return new SqliteBackend(context);
  } catch (error) {
    context.close();
    throw openFailure(error, context.path);
  }
}
