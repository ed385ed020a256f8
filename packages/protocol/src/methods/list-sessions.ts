import { LIST_SESSIONS_QUERY, type ListSessionsQuery } from "../api/queries.js";
import type { Listing } from "../api/session-store.js";
import { field } from "../arguments/optional-field.js";
import { requireOptions } from "../arguments/options.js";
import type { Page } from "../backend/list-query.js";
import type { StoreContext } from "../context/store-context.js";
import { PageCursors } from "../reading/page-cursor.js";
import { runRead } from "../reading/run-read.js";
import { summaryView } from "../reading/session-view.js";
import type { SessionSummary } from "../session/session.js";
import { requireListQuery } from "../validate/queries.js";

/** One page when awaited, every session with `for await`. Nothing is read before that. */
export function listSessions(context: StoreContext, query: ListSessionsQuery = {}): Listing<SessionSummary> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a listing is awaited for one page, that is its purpose
    then: (fulfilled, rejected) => listPage(context, query).then(fulfilled, rejected),
    [Symbol.asyncIterator]: () => everySession(context, query),
  };
}

function listPage(context: StoreContext, query: ListSessionsQuery): Promise<Page<SessionSummary>> {
  return runRead(context, query, LIST_SESSIONS_QUERY, (checked) => pageFor(context, checked), "query");
}

async function pageFor(context: StoreContext, given: ListSessionsQuery): Promise<Page<SessionSummary>> {
  const { cursor: wrapped, ...query } = requireListQuery(given, context.limits);
  const { labels = {}, parent = null, updatedSince = null, order } = query;
  const cursors = new PageCursors("listSessions", { labels, parent, updatedSince, order });
  const from = wrapped === undefined ? undefined : cursors.unwrap(wrapped, "query.cursor");
  const page = await context.backend.list({ ...query, ...field("cursor", from) });
  const items = page.items.map((record) => summaryView(record, context.leases));
  return page.cursor === undefined ? { items } : { items, cursor: cursors.wrap(page.cursor) };
}

async function* everySession(
  context: StoreContext,
  query: ListSessionsQuery,
): AsyncGenerator<SessionSummary> {
  const asked = requireOptions(query, LIST_SESSIONS_QUERY, "query");
  let { cursor } = asked;
  do {
    const page = await listPage(context, { ...asked, cursor });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
