import { READ_OPTIONS, type ReadOptions } from "../api/mutation.js";
import { field } from "../arguments/optional-field.js";
import type { Page } from "../backend/list-query.js";
import { SEARCH_QUERY, type SearchHit, type SearchQuery } from "../backend/search.js";
import type { SessionBackend } from "../backend/session-backend.js";
import type { StoreContext } from "../context/store-context.js";
import { PageCursors } from "../reading/page-cursor.js";
import { runRead } from "../reading/run-read.js";
import { requireSearchQuery } from "../validate/queries.js";

type Search = NonNullable<SessionBackend["search"]>;

const QUERY = { ...SEARCH_QUERY, ...READ_OPTIONS };

/** One page of search results. */
export function searchWith(
  context: StoreContext,
  search: Search,
  query: SearchQuery & ReadOptions,
): Promise<Page<SearchHit>> {
  return runRead(context, query, QUERY, (checked) => pageFor(context, search, checked), "query");
}

async function pageFor(context: StoreContext, search: Search, given: SearchQuery): Promise<Page<SearchHit>> {
  const { cursor: wrapped, ...query } = requireSearchQuery(given, context.limits);
  const { text, labels = {}, roles = null, since = null } = query;
  const cursors = new PageCursors("search", { text, labels, roles, since });
  const from = wrapped === undefined ? undefined : cursors.unwrap(wrapped, "query.cursor");
  const page = await search({ ...query, ...field("cursor", from) });
  return page.cursor === undefined ? page : { ...page, cursor: cursors.wrap(page.cursor) };
}
