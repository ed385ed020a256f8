import {
  decodeCursor,
  encodeCursor,
  type ListOrder,
  SessionError,
  type SummaryRecord,
} from "@sessions/protocol/backend";

/** Where a session stands in an order. A cursor is the position of the last one of a page. */
export interface ListPosition {
  readonly time: number;
  readonly id: string;
}

export function positionOf(summary: SummaryRecord, order: ListOrder): ListPosition {
  if (order.startsWith("updated")) return { time: summary.updatedAt, id: summary.id };
  return { time: order.startsWith("created") ? summary.createdAt : 0, id: summary.id };
}

/** Compares positions in an order: negative if the first comes first. */
export function positionComparer(order: ListOrder): (a: ListPosition, b: ListPosition) => number {
  const direction = order.endsWith("-asc") ? 1 : -1;
  return (a, b) => direction * (a.time - b.time || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

export function listCursor({ time, id }: ListPosition): string {
  return encodeCursor({ time, id });
}

export function readListCursor(cursor: string): ListPosition {
  const position: unknown = decodeCursor(cursor, "query.cursor");
  if (isPosition(position)) return position;
  throw SessionError.of("INVALID_ARGUMENT", "query.cursor is not a cursor of this list.", {
    path: "query.cursor",
  });
}

function isPosition(value: unknown): value is ListPosition {
  if (typeof value !== "object" || value === null || !("time" in value && "id" in value)) return false;
  return typeof value.time === "number" && typeof value.id === "string";
}
