import {
  decodeCursor,
  encodeCursor,
  type ListOrder,
  SessionError,
  type SummaryRecord,
} from "@sessions/protocol/backend";

/** Where a session stands in an order. A cursor is the place of the last one given out. */
export interface ListPlace {
  readonly time: number;
  readonly id: string;
}

export function listPlaceOf(summary: SummaryRecord, order: ListOrder): ListPlace {
  if (order.startsWith("updated")) return { time: summary.updatedAt, id: summary.id };
  return { time: order.startsWith("created") ? summary.createdAt : 0, id: summary.id };
}

/** Negative if `a` comes first. */
export function comparePlaces(a: ListPlace, b: ListPlace, order: ListOrder): number {
  const ascending = a.time - b.time || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return order.endsWith("-asc") ? ascending : -ascending;
}

export function cursorOf({ time, id }: ListPlace): string {
  return encodeCursor({ time, id });
}

export function readCursor(cursor: string): ListPlace {
  const place: unknown = decodeCursor(cursor, "query.cursor");
  if (isPlace(place)) return place;
  throw SessionError.of("INVALID_ARGUMENT", "query.cursor is not a cursor of this list.", {
    path: "query.cursor",
  });
}

function isPlace(value: unknown): value is ListPlace {
  if (typeof value !== "object" || value === null || !("time" in value && "id" in value)) return false;
  return typeof value.time === "number" && typeof value.id === "string";
}
