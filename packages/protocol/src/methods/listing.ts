import type { Page } from "../backend/list-query.js";
import type { SessionSummary } from "../session/session.js";
import type { ListSessionsQuery } from "../store/queries.js";
import { reading } from "../store/reading.js";
import type { Listing } from "../store/session-store.js";
import { summaryView } from "../store/session-view.js";
import type { StoreContext } from "../store/store-context.js";
import { requireListQuery } from "../validate/queries.js";

/** One page when awaited, every session by `for await`. Nothing is read before either. */
export function listSessions(context: StoreContext, query: ListSessionsQuery = {}): Listing<SessionSummary> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a listing is awaited for one page, that is its purpose
    then: (fulfilled, rejected) => listPage(context, query).then(fulfilled, rejected),
    [Symbol.asyncIterator]: () => everySession(context, query),
  };
}

function listPage(context: StoreContext, query: ListSessionsQuery): Promise<Page<SessionSummary>> {
  return reading(context, query?.signal, async () => {
    const page = await context.backend.list(requireListQuery(query, context.limits));
    const now = context.clock.now();
    return { ...page, items: page.items.map((record) => summaryView(record, now)) };
  });
}

async function* everySession(
  context: StoreContext,
  query: ListSessionsQuery,
): AsyncGenerator<SessionSummary> {
  let { cursor } = query;
  do {
    const page = await listPage(context, { ...query, cursor });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
