import {
  type ListOrder,
  type ListQuery,
  type Page,
  type SummaryRecord,
  summaryOf,
} from "@sessions/protocol/backend";
import type Database from "better-sqlite3";
import { SESSION_COLUMNS, type SessionRow, slotOf } from "../engine/tables/sessions-table.js";
import { isDamage } from "../error-mapping.js";
import type { SessionCache } from "../session/session-cache.js";
import { sortKeyOf } from "../session/sort-key.js";
import { storableText } from "../session/storable-text.js";
import { columnOf, type ListPosition, listCursor, readListCursor } from "./list-cursor.js";

interface ListContext {
  readonly db: Database.Database;
  readonly sessions: SessionCache;
  /** Called for sessions that cannot be read. They are left out. */
  readonly onDamage: (id: string, error: unknown) => void;
}

/** One page of sessions, by the index of the order or by that of a label, whichever has fewer rows to look at. */
export function listSessions(context: ListContext, query: ListQuery, now: number): Page<SummaryRecord> {
  const rows = selectRows(context.db, query, now);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const items = page.flatMap((row) => summary(context, row, query.metadata ?? []));
  const isLast = last === undefined || rows.length <= query.limit;
  return { items, ...(isLast ? {} : { cursor: listCursor(last, query.order) }) };
}

function summary(
  { sessions, onDamage }: ListContext,
  row: SessionRow,
  keys: readonly string[],
): readonly SummaryRecord[] {
  try {
    const { state } = sessions.of(row);
    if (state.status !== "live") return [];
    const all = summaryOf(row.id, state);
    const kept = Object.entries(all.metadata).filter(([key]) => keys.includes(key));
    return [{ ...all, metadata: Object.fromEntries(kept) }];
  } catch (error) {
    if (!isDamage(error)) throw error;
    onDamage(row.id, error);
    return [];
  }
}

function selectRows(db: Database.Database, query: ListQuery, now: number): readonly SessionRow[] {
  const { order, limit } = query;
  const direction = order.endsWith("-asc") ? "ASC" : "DESC";
  const from = startOf(db, query);
  const where = conditionsOf(query, now, from.labels);
  const by = columnsOf(order)
    .map((column) => `s.${column} ${direction}`)
    .join(", ");
  const sql = `SELECT ${SESSION_COLUMNS} FROM ${from.sql} 
    WHERE ${where.map(({ sql: condition }) => condition).join(" AND ")} ORDER BY ${by} LIMIT ?`;
  const parameters = [...from.parameters, ...where.flatMap(({ parameters: values }) => values), limit + 1];
  return db.prepare<unknown[], SessionRow>(sql).all(...parameters);
}

interface Start extends Condition {
  /** Labels that are still to be checked. */
  readonly labels: readonly (readonly [string, string])[];
}

interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A rare label: all its sessions are looked at and sorted. Otherwise sessions in order, until there are enough. */
function startOf(db: Database.Database, { labels = {}, limit }: ListQuery): Start {
  const entries = Object.entries(labels);
  const [first, ...rest] = entries;
  if (first === undefined) return { sql: "sessions s", parameters: [], labels: entries };
  const [name, value] = first;
  const all = Number(db.prepare("SELECT max(key) FROM sessions").pluck().get() ?? 0);
  // In order, one of every all/found sessions has the label; by the label, all found ones are read.
  const most = Math.ceil(Math.sqrt(all * (limit + 1)));
  const found = db
    .prepare("SELECT count(*) FROM (SELECT 1 FROM labels WHERE name = ? AND value = ? LIMIT ?)")
    .pluck()
    .get(storableText(name), storableText(value), most);
  if (Number(found) >= most) return { sql: "sessions s", parameters: [], labels: entries };
  const sql =
    "(SELECT key AS labelled FROM labels WHERE name = ? AND value = ?) CROSS JOIN sessions s ON s.key = labelled";
  return { sql, parameters: [storableText(name), storableText(value)], labels: rest };
}

function conditionsOf(query: ListQuery, now: number, labels: Start["labels"]): readonly Condition[] {
  const { parent, updatedSince, cursor, order } = query;
  return [
    { sql: "s.deleted_at IS NULL", parameters: [] },
    { sql: "(s.expires_at IS NULL OR s.expires_at > ?)", parameters: [now] },
    ...(parent === undefined ? [] : [{ sql: "s.parent = ?", parameters: [sortKeyOf(parent)] }]),
    ...(updatedSince === undefined
      ? []
      : [
          {
            sql: "s.updated_slot >= ? AND s.updated_at >= ?",
            parameters: [slotOf(updatedSince), updatedSince],
          },
        ]),
    ...labels.map(([name, value]) => ({
      sql: "EXISTS (SELECT 1 FROM labels WHERE name = ? AND value = ? AND key = s.key)",
      parameters: [storableText(name), storableText(value)],
    })),
    ...(cursor === undefined ? [] : [after(readListCursor(cursor), order)]),
  ];
}

function after({ time, id }: ListPosition, order: ListOrder): Condition {
  const is = order.endsWith("-asc") ? ">" : "<";
  const column = columnOf(order);
  if (column === "sort_key") return { sql: `s.sort_key ${is} ?`, parameters: [sortKeyOf(id)] };
  const rest = { sql: `(s.${column}, s.sort_key) ${is} (?, ?)`, parameters: [time, sortKeyOf(id)] };
  if (column !== "updated_at") return rest;
  // The slot adds nothing, but it is what the index has.
  return {
    sql: `s.updated_slot ${is}= ? AND ${rest.sql}`,
    parameters: [slotOf(time), ...rest.parameters],
  };
}

/** What sessions are ordered by. Those of one slot of time are together in the index, and sorted when they are read. */
function columnsOf(order: ListOrder): readonly string[] {
  const column = columnOf(order);
  if (column === "sort_key") return [column];
  return column === "updated_at" ? ["updated_slot", column, "sort_key"] : [column, "sort_key"];
}
