import {
  frozen,
  type LoopShare,
  type Page,
  type SearchHit,
  type SearchQuery,
} from "@sessions/protocol/backend";
import type { Transactions } from "../engine/transactions.js";
import {
  findSome,
  pageOf,
  type RankedHit,
  type SearchContext,
  searchOf,
  startOf,
} from "./search-messages.js";

interface SearchSessionsContext extends SearchContext {
  readonly transactions: Transactions;
  readonly share: LoopShare;
  readonly now: () => number;
}

/** A page of the messages that match a query, in slices: other events of the process run in between. */
export async function searchSessions(
  context: SearchSessionsContext,
  query: SearchQuery,
): Promise<Page<SearchHit>> {
  const { transactions, now, share } = context;
  const search = searchOf(query, now());
  const found: RankedHit[] = [];
  let position = startOf(query);
  if (search === undefined) return pageOf(found, 0);
  do {
    const from = position;
    const some = await transactions.read(() => findSome(context, search, from));
    found.push(...some.hits);
    position = some.next;
    await share.continue();
  } while (position !== undefined && found.length <= search.limit);
  return frozen(pageOf(found, search.limit));
}
