import type { Tables } from "../engine/tables/tables.js";
import type { SearchIndex } from "../search/search-index.js";
import type { SessionCache } from "../session/session-cache.js";
import type { RowTables } from "../session/sqlite-session-rows.js";

/** What sessions are written with. */
export interface WriteContext {
  readonly tables: Tables;
  readonly sessions: SessionCache;
  readonly rows: RowTables;
  readonly search: SearchIndex;
  readonly path: string;
  readonly now: () => number;
}
