import { decodeCursor, encodeCursor, type ListOrder, SessionError } from "@sessions/protocol/backend";
import type { SessionRow } from "../engine/tables/sessions-table.js";

/** Where a session stands in an order. */
export interface ListPosition {
  readonly time: number;
  readonly id: string;
}

/** The column that an order goes by. */
export function columnOf(order: ListOrder): "updated_at" | "created_at" | "sort_key" {
  if (order.startsWith("updated")) return "updated_at";
  return order.startsWith("created") ? "created_at" : "sort_key";
}

/** The cursor behind a session. */
export function listCursor(row: SessionRow, order: ListOrder): string {
  const column = columnOf(order);
  const position: ListPosition = { time: column === "sort_key" ? 0 : row[column], id: row.id };
  return encodeCursor({ ...position });
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
