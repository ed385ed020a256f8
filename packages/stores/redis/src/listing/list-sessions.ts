import { type ListQuery, type Page, type SummaryRecord, summaryOf } from "@sessions/protocol/backend";
import type { Deadline } from "../engine/deadline.js";
import type { RedisContext } from "../redis-context.js";
import {
  type ListPosition,
  listCursor,
  positionComparer,
  positionOf,
  readListCursor,
} from "./list-position.js";
import { MAX_RANGE, PartitionRange, readRanges } from "./partition-range.js";

/**
 * So many sessions are read of each partition at least. With the twofold of its share, and no less than this, one list of 50 in a
 * hundred thousand has to ask a partition again.
 */
const MIN_RANGE = 8;

/** One page of sessions: the ranges of all partitions, merged; and what they name, read. */
export async function listSessions(
  context: RedisContext,
  query: ListQuery,
  deadline: Deadline,
): Promise<Page<SummaryRecord>> {
  const { order, limit } = query;
  const compare = positionComparer(order);
  const after = query.cursor === undefined ? undefined : readListCursor(query.cursor);
  const found = await firstPositions(context, query, after, deadline);
  const isLast = found.length <= limit;
  const page = found.slice(0, limit);
  const last = isLast ? undefined : page.at(-1);
  const isOnPage = (position: ListPosition): boolean =>
    (after === undefined || compare(position, after) > 0) &&
    (last === undefined || compare(position, last) <= 0);
  const summaries = await readSummaries(context, page, query, deadline);
  const items = summaries
    // One that has changed since the ranges were read stands elsewhere now.
    .filter((summary) => belongs(summary, query) && isOnPage(positionOf(summary, order)))
    .sort((a, b) => compare(positionOf(a, order), positionOf(b, order)))
    .map((summary) => withMetadata(summary, query.metadata ?? []));
  return { items, ...(last === undefined ? {} : { cursor: listCursor(last) }) };
}

/** The positions of a page and one more, where there is one. */
async function firstPositions(
  context: RedisContext,
  query: ListQuery,
  after: ListPosition | undefined,
  deadline: Deadline,
): Promise<readonly ListPosition[]> {
  const { order, limit } = query;
  const compare = positionComparer(order);
  const { partitions } = context.keys;
  const ranges = partitions.map((partition) => new PartitionRange(partition, query, after));
  let unread: readonly PartitionRange[] = ranges;
  let count = Math.min(MAX_RANGE, Math.max(MIN_RANGE, Math.ceil((2 * (limit + 1)) / partitions.length)));
  for (;;) {
    await readRanges(context, unread, query, count, deadline);
    const found = ranges
      .flatMap(({ positions }) => positions)
      .sort(compare)
      .slice(0, limit + 1);
    const last = found.length > limit ? found.at(-1) : undefined;
    // Something behind a place could still stand on the page.
    const mayPrecede = (lookedTo: ListPosition | undefined): boolean =>
      lookedTo === undefined || last === undefined || compare(lookedTo, last) < 0;
    unread = ranges.filter((range) => range.hasMore && mayPrecede(range.lookedTo));
    if (unread.length === 0) {
      for (const { partition, hasEnded } of ranges) if (hasEnded) context.burial.soon(partition);
      return found;
    }
    count = Math.min(2 * count, MAX_RANGE);
  }
}

async function readSummaries(
  { sessions, warnings }: RedisContext,
  page: readonly ListPosition[],
  { metadata = [] }: ListQuery,
  deadline: Deadline,
): Promise<readonly SummaryRecord[]> {
  const ids = page.map(({ id }) => id);
  const found = await sessions.summaries(ids, { metadata: metadata.length > 0 }, deadline);
  const summaries: SummaryRecord[] = [];
  for (const [id, session] of found) {
    if (session === undefined) continue; // deleted or expired since the ranges were read
    if ("state" in session) summaries.push(summaryOf(id, session.state));
    else
      warnings.set(
        `damage of ${id}`,
        `Session "${id}" is damaged and was left out of a list: ${session.error.message}`,
      );
  }
  return summaries;
}

function belongs(summary: SummaryRecord, { labels = {}, parent, updatedSince }: ListQuery): boolean {
  if (parent !== undefined && summary.parent?.sessionId !== parent) return false;
  if (updatedSince !== undefined && summary.updatedAt < updatedSince) return false;
  return Object.entries(labels).every(
    ([name, value]) => Object.hasOwn(summary.labels, name) && summary.labels[name] === value,
  );
}

function withMetadata(summary: SummaryRecord, keys: readonly string[]): SummaryRecord {
  const kept = Object.entries(summary.metadata).filter(([key]) => keys.includes(key));
  return { ...summary, metadata: Object.fromEntries(kept) };
}
