import { invalid } from "../../arguments/invalid-argument.js";
import type { ListOrder, ListQuery, Page } from "../../backend/list-query.js";
import type { SummaryRecord } from "../../backend/session-backend.js";
import { decodeCursor, encodeCursor } from "../../ids/cursor.js";
import { isRecord } from "../../json/record.js";

/**
 * One page of summaries. It is the reference for every backend's `list`, and sufficient for backends with all summaries
 * in memory.
 */
export function listSummaries(summaries: Iterable<SummaryRecord>, query: ListQuery): Page<SummaryRecord> {
  const after = query.cursor === undefined ? undefined : readSortKey(query.cursor);
  const matching = [...summaries].filter((summary) => matches(summary, query));
  const rest = matching
    .map((summary) => ({ summary, key: sortKeyOf(summary, query.order) }))
    .filter(({ key }) => after === undefined || compare(key, after, query.order) > 0)
    .sort((a, b) => compare(a.key, b.key, query.order));
  const items = rest.slice(0, query.limit);
  const last = items.at(-1);
  return {
    items: items.map(({ summary }) => withMetadata(summary, query.metadata ?? [])),
    ...(last === undefined || rest.length <= query.limit ? {} : { cursor: encodeCursor({ ...last.key }) }),
  };
}

/** The sort key of a session. A cursor is the key of the last session of a page, so no session is skipped or repeated. */
interface SortKey {
  readonly time: number;
  readonly id: string;
}

function sortKeyOf(summary: SummaryRecord, order: ListOrder): SortKey {
  if (order.startsWith("updated")) return { time: summary.updatedAt, id: summary.id };
  return { time: order.startsWith("created") ? summary.createdAt : 0, id: summary.id };
}

function compare(a: SortKey, b: SortKey, order: ListOrder): number {
  const ascending = a.time - b.time || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return order.endsWith("-asc") ? ascending : -ascending;
}

function readSortKey(cursor: string): SortKey {
  const key: unknown = decodeCursor(cursor, "query.cursor");
  if (isRecord(key) && typeof key["time"] === "number" && typeof key["id"] === "string") {
    return { time: key["time"], id: key["id"] };
  }
  throw invalid("query.cursor", "is not a cursor of this list.");
}

function matches(summary: SummaryRecord, query: ListQuery): boolean {
  if (query.parent !== undefined && summary.parent?.sessionId !== query.parent) return false;
  if (query.updatedSince !== undefined && summary.updatedAt < query.updatedSince) return false;
  return Object.entries(query.labels ?? {}).every(
    ([name, value]) => Object.hasOwn(summary.labels, name) && summary.labels[name] === value,
  );
}

function withMetadata(summary: SummaryRecord, keys: readonly string[]): SummaryRecord {
  const kept = Object.entries(summary.metadata).filter(([name]) => keys.includes(name));
  return { ...summary, metadata: Object.fromEntries(kept) };
}
