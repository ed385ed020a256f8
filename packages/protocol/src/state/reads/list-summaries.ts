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
  const after = query.cursor === undefined ? undefined : readPlace(query.cursor);
  const matching = [...summaries].filter((summary) => matches(summary, query));
  const rest = matching
    .map((summary) => ({ summary, place: placeOf(summary, query.order) }))
    .filter(({ place }) => after === undefined || compare(place, after, query.order) > 0)
    .sort((a, b) => compare(a.place, b.place, query.order));
  const items = rest.slice(0, query.limit);
  const last = items.at(-1);
  return {
    items: items.map(({ summary }) => withMetadata(summary, query.metadata ?? [])),
    ...(last === undefined || rest.length <= query.limit ? {} : { cursor: encodeCursor({ ...last.place }) }),
  };
}

/** The sort key of a session. A cursor is the key of the last session of a page, so no session is skipped or repeated. */
interface Place {
  readonly time: number;
  readonly id: string;
}

function placeOf(summary: SummaryRecord, order: ListOrder): Place {
  if (order.startsWith("updated")) return { time: summary.updatedAt, id: summary.id };
  return { time: order.startsWith("created") ? summary.createdAt : 0, id: summary.id };
}

function compare(a: Place, b: Place, order: ListOrder): number {
  const ascending = a.time - b.time || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return order.endsWith("-asc") ? ascending : -ascending;
}

function readPlace(cursor: string): Place {
  const place: unknown = decodeCursor(cursor, "query.cursor");
  if (isRecord(place) && typeof place["time"] === "number" && typeof place["id"] === "string") {
    return { time: place["time"], id: place["id"] };
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
  const kept = Object.entries(summary.metadata).filter(([key]) => keys.includes(key));
  return { ...summary, metadata: Object.fromEntries(kept) };
}
