import {
  type ListOrder,
  type ListQuery,
  type LiveState,
  type SummaryRecord,
  summaryOf,
} from "@sessions/protocol/backend";

/** What a list must return, all pages together. */
export function expectedList(
  sessions: ReadonlyMap<string, LiveState>,
  query: ListQuery,
): readonly SummaryRecord[] {
  return [...sessions]
    .map(([id, state]) => summaryOf(id, state))
    .filter((summary) => matches(summary, query))
    .sort((a, b) => compare(a, b, query.order))
    .map((summary) => ({ ...summary, metadata: projected(summary.metadata, query.metadata ?? []) }));
}

function matches(summary: SummaryRecord, { labels = {}, parent, updatedSince }: ListQuery): boolean {
  if (Object.entries(labels).some(([name, value]) => summary.labels[name] !== value)) return false;
  if (parent !== undefined && summary.parent?.sessionId !== parent) return false;
  return updatedSince === undefined || summary.updatedAt >= updatedSince;
}

function compare(a: SummaryRecord, b: SummaryRecord, order: ListOrder): number {
  const direction = order.endsWith("-asc") ? 1 : -1;
  const byTime = order.startsWith("updated")
    ? a.updatedAt - b.updatedAt
    : order.startsWith("created")
      ? a.createdAt - b.createdAt
      : 0;
  return direction * (byTime === 0 ? (a.id < b.id ? -1 : 1) : byTime);
}

function projected(metadata: SummaryRecord["metadata"], keys: readonly string[]): SummaryRecord["metadata"] {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => keys.includes(key)));
}
