import {
  decodeCursor,
  encodeCursor,
  type Message,
  type Page,
  type SearchHit,
  type SearchQuery,
  SessionError,
  stateAt,
  textOf,
} from "@sessions/protocol/backend";
import { storedRunsOf } from "@sessions/row-engine";
import type Database from "better-sqlite3";
import type { Tables } from "../engine/tables/tables.js";
import { isDamage } from "../error-mapping.js";
import { logOf } from "../session/row-number.js";
import type { SessionCache } from "../session/session-cache.js";
import { type Terms, termsOf } from "./query.js";
import { snippetOf } from "./snippet.js";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;
/** How many messages before and after a hit are returned with it. */
const MESSAGES_AROUND = 2;
/** How many rows are looked at before other events of the process may run. */
const ROWS_PER_SLICE = 100;

export interface SearchContext {
  readonly db: Database.Database;
  readonly tables: Tables;
  readonly sessions: SessionCache;
  readonly onDamage: (id: string, error: unknown) => void;
}

/** Where a search continues: behind this session, of those that hold this row, among the rows of this rank and below. */
export interface SearchPosition {
  readonly rank: number;
  readonly row: number;
  readonly key: number;
}

/** A hit, and its position among all of them. */
export interface RankedHit {
  readonly hit: SearchHit;
  readonly position: SearchPosition;
}

/** Some of what was found, and where to continue. */
export interface Found {
  readonly hits: readonly RankedHit[];
  readonly next?: SearchPosition;
}

interface Match {
  readonly row: number;
  readonly rank: number;
}

/** What is looked for, as it was asked and as it is understood. */
export interface Search {
  readonly query: SearchQuery;
  readonly limit: number;
  readonly terms: Terms;
  readonly now: number;
}

/** Checks what a caller asks for. `undefined` if there is no word in it, so that nothing can be found. */
export function searchOf(query: SearchQuery, now: number): Search | undefined {
  const { text, limit = DEFAULT_LIMIT, roles, labels, since } = query;
  if (typeof text !== "string") throw invalid("query.text", "must be a string.");
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw invalid("query.limit", "must be a whole number of at least 1.");
  if (roles !== undefined && !Array.isArray(roles))
    throw invalid("query.roles", "must be an array of roles.");
  if (labels !== undefined && (typeof labels !== "object" || labels === null))
    throw invalid("query.labels", "must be an object.");
  if (since !== undefined && typeof since !== "number")
    throw invalid("query.since", "must be a time in milliseconds.");
  const terms = termsOf(text);
  return terms === undefined ? undefined : { query, limit: Math.min(limit, MAX_LIMIT), terms, now };
}

/** Where a search begins: at the cursor of the page before. */
export function startOf({ cursor }: SearchQuery): SearchPosition | undefined {
  if (cursor === undefined) return undefined;
  const value: unknown = decodeCursor(cursor, "query.cursor");
  if (isPosition(value)) return value;
  throw invalid("query.cursor", "is not a cursor of this search.");
}

/** The hits among the next rows. Within a transaction, so that what is shown is what the sessions hold now. */
export function findSome(context: SearchContext, search: Search, after: SearchPosition | undefined): Found {
  const matches = matchesAfter(context.db, search.terms, after);
  const hits = matches.flatMap((match) => hitsAt(context, search, match, after));
  const last = matches.at(-1);
  const isAll = last === undefined || matches.length < ROWS_PER_SLICE;
  return isAll ? { hits } : { hits, next: { ...last, key: Number.MAX_SAFE_INTEGER } };
}

/** A page of what was found; one hit more than the page holds says that there is another. */
export function pageOf(found: readonly RankedHit[], limit: number): Page<SearchHit> {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const items = page.map(({ hit }) => hit);
  return found.length > limit && last !== undefined
    ? { items, cursor: encodeCursor({ ...last.position }) }
    : { items };
}

function matchesAfter(
  db: Database.Database,
  { match }: Terms,
  after: SearchPosition | undefined,
): readonly Match[] {
  const from = after === undefined ? "" : "AND (rank > ? OR (rank = ? AND rowid >= ?))";
  const position = after === undefined ? [] : [after.rank, after.rank, after.row];
  return db
    .prepare<unknown[], Match>(
      `SELECT rowid AS row, rank FROM search WHERE search MATCH ? ${from} ORDER BY rank, rowid LIMIT ?`,
    )
    .all(match, ...position, ROWS_PER_SLICE);
}

/** The sessions that hold a row now, among those that are asked for. */
function hitsAt(
  context: SearchContext,
  search: Search,
  match: Match,
  after: SearchPosition | undefined,
): readonly RankedHit[] {
  const { tables } = context;
  const lastKey = after?.row === match.row ? after.key : 0;
  return tables.logs.sessionsOf(logOf(match.row)).flatMap((key) => {
    const row = key > lastKey ? tables.sessions.byKey(key) : undefined;
    if (row === undefined) return [];
    const hits = readableHits(context, search, match, row.id);
    return hits.map((hit) => ({ hit, position: { ...match, key } }));
  });
}

function readableHits(
  context: SearchContext,
  search: Search,
  match: Match,
  sessionId: string,
): readonly SearchHit[] {
  try {
    return hitIn(context, search, match, sessionId);
  } catch (error) {
    if (!isDamage(error)) throw error;
    context.onDamage(sessionId, error);
    return [];
  }
}

function hitIn(
  { sessions }: SearchContext,
  search: Search,
  match: Match,
  sessionId: string,
): readonly SearchHit[] {
  const { query, terms, now } = search;
  const entry = sessions.get(sessionId);
  const state = stateAt(entry?.state, now);
  if (entry === undefined || state?.status !== "live" || !hasLabels(state.labels, query.labels)) return [];
  const position = storedRunsOf(state.history).positionOf(match.row);
  if (position === undefined) return [];
  const { message } = entry.rows.message(match.row);
  if (!isAskedFor(message, query)) return [];
  const { messages } = state.history;
  return [
    {
      sessionId,
      messageId: message.id,
      score: -match.rank,
      snippet: snippetOf(textOf(message), terms),
      messages: messages.slice(
        Math.max(0, position - MESSAGES_AROUND),
        Math.min(messages.length, position + MESSAGES_AROUND + 1),
      ),
    },
  ];
}

function hasLabels(labels: Readonly<Record<string, string>>, asked: SearchQuery["labels"] = {}): boolean {
  return Object.entries(asked).every(
    ([name, value]) => Object.hasOwn(labels, name) && labels[name] === value,
  );
}

function isAskedFor({ role, createdAt }: Message, { roles, since }: SearchQuery): boolean {
  return (roles === undefined || roles.includes(role)) && (since === undefined || createdAt >= since);
}

function isPosition(value: unknown): value is SearchPosition {
  if (typeof value !== "object" || value === null || !("rank" in value && "row" in value && "key" in value))
    return false;
  return typeof value.rank === "number" && typeof value.row === "number" && typeof value.key === "number";
}

function invalid(path: string, problem: string): SessionError {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${problem}`, { path });
}
