import type Database from "better-sqlite3";
import type { StoredCounts } from "./stored-counts.js";
import { BLOCK } from "./unindexed-rows.js";

/** A session's row, with what is known of its log. */
export interface SessionRow {
  readonly key: number;
  readonly id: string;
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly expires_at: number | null;
  readonly deleted_at: number | null;
  readonly version: number;
  readonly parts_version: number;
  readonly change: number;
  readonly log: number;
  readonly next_row: number;
  readonly state: string;
  readonly crc: number;
  readonly layout: number | null;
  readonly shared_until: number | null;
}

/** `[row, revision, crc, id, body]`: arrays, because thousands of them are read at once. */
export type MessageRow = readonly [number, number, number, string, string];

/** `[row, n, crc, op]` */
export type FragmentRow = readonly [number, number, number, string];

export interface PartRow {
  readonly n: number;
  readonly kind: string;
  readonly body: string;
  readonly crc: number;
}

interface MemoryRow {
  readonly n: number;
  readonly body: string;
}

/** The columns of a `SessionRow`. */
export const SESSION_COLUMNS: string = `s.key, s.id, s.revision, s.created_at, s.updated_at, s.expires_at, s.deleted_at,
  s.version, s.parts_version, s.change, s.log, s.next_row, s.state, s.crc, l.layout, l.shared_until`;

/** Every statement that is used over and over, prepared once for a connection. */
export type Statements = ReturnType<typeof prepareStatements>;

type Prepared<Parameters extends unknown[], Result = unknown> = Database.Statement<Parameters, Result>;

/** What a session's row says, from `revision` on. */
type SessionFields = [
  revision: number,
  createdAt: number,
  updatedAt: number,
  expiresAt: number | null,
  deletedAt: number | null,
  parent: Buffer | null,
  version: number,
  partsVersion: number,
  change: number,
  updatedSlot: number,
  changeBlock: number,
  log: number,
  nextRow: number,
  state: string,
  crc: number,
];

/** What nearly every commit changes. */
type TouchedFields = [
  revision: number,
  updatedAt: number,
  version: number,
  partsVersion: number,
  change: number,
  nextRow: number,
  state: string,
  crc: number,
];

type MessageFields = [row: number, log: number, id: string, revision: number, crc: number, body: string];

interface PreparedStatements {
  readonly begin: Prepared<[]>;
  readonly beginImmediate: Prepared<[]>;
  readonly commit: Prepared<[]>;
  readonly rollback: Prepared<[]>;
  readonly dataVersion: Prepared<[], number>;
  readonly userVersion: Prepared<[], number>;

  readonly session: Prepared<[place: Buffer], SessionRow>;
  readonly sessionByKey: Prepared<[key: number], SessionRow>;
  readonly insertSession: Prepared<[place: Buffer, id: string, ...SessionFields]>;
  readonly updateSession: Prepared<[...SessionFields, key: number]>;
  readonly touchSession: Prepared<[...TouchedFields, key: number]>;
  readonly touchSessionLater: Prepared<[...TouchedFields, updatedSlot: number, key: number]>;
  readonly moveSession: Prepared<[...TouchedFields, updatedSlot: number, changeBlock: number, key: number]>;
  readonly lastChange: Prepared<[], number | null>;

  readonly parts: Prepared<[key: number], PartRow>;
  readonly writePart: Prepared<[key: number, n: number, kind: string, body: string, crc: number]>;
  readonly deletePart: Prepared<[key: number, n: number]>;
  readonly deleteParts: Prepared<[key: number]>;

  readonly addLabel: Prepared<[name: string, value: string, key: number]>;
  readonly deleteLabels: Prepared<[key: number]>;

  readonly addLog: Prepared<[owner: number | null, stagedAt: number | null]>;
  readonly log: Prepared<[log: number], { readonly layout: number; readonly shared_until: number }>;
  readonly changeLog: Prepared<[layout: number, sharedUntil: number, dirty: number, log: number]>;
  readonly shareLog: Prepared<[sharedUntil: number, log: number]>;
  readonly reserveRows: Prepared<[nextRow: number, version: number, crc: number, key: number]>;
  readonly stageLog: Prepared<[at: number, log: number]>;
  readonly adoptLog: Prepared<[owner: number, log: number]>;
  readonly unstageLog: Prepared<[log: number]>;
  readonly leaveLog: Prepared<[log: number]>;
  readonly holdersOf: Prepared<[log: number, again: number], number>;
  readonly addLean: Prepared<[key: number, log: number]>;
  readonly deleteLeans: Prepared<[key: number]>;
  readonly soilLeanedOn: Prepared<[key: number]>;

  readonly messages: Prepared<[from: number, to: number], MessageRow>;
  readonly countMessages: Prepared<[from: number, to: number], number>;
  readonly countOf: Prepared<[{ readonly key: number }], StoredCounts>;
  readonly countFragments: Prepared<[row: number], number>;
  readonly fragments: Prepared<[from: number, to: number], FragmentRow>;
  readonly indexedRows: Prepared<[log: number, id: string], number>;
  readonly unindexedRows: Prepared<[first: number, beyond: number, beyond: number, id: string], number>;
  readonly insertMessage: Prepared<MessageFields>;
  /** Without a place in the index of message ids. */
  readonly appendMessage: Prepared<MessageFields>;
  readonly indexMessages: Prepared<[from: number, to: number]>;
  readonly updateMessage: Prepared<[crc: number, body: string, row: number]>;
  readonly deleteMessages: Prepared<[from: number, to: number]>;
  readonly nextFragment: Prepared<[row: number], number>;
  readonly insertFragment: Prepared<[row: number, n: number, crc: number, op: string]>;
  readonly deleteFragments: Prepared<[from: number, to: number]>;

  readonly memory: Prepared<[key: number, kind: string, id: string], MemoryRow>;
  readonly memories: Prepared<[key: number, kind: string], MemoryRow>;
  readonly addMemory: Prepared<[key: number, kind: string, id: string, n: number, at: number, body: string]>;
  readonly deleteMemories: Prepared<[key: number, kind: string]>;
  readonly newestForgettable: Prepared<
    [key: number, kind: string, before: number, at: number],
    number | null
  >;
  readonly forgetMemories: Prepared<[key: number, kind: string, before: number, at: number]>;
  readonly generatedAround: Prepared<[key: number, id: string, again: string], string>;
  readonly generated: Prepared<[key: number], string>;
  readonly addGenerated: Prepared<[key: number, last: string, first: string, n: number, entries: string]>;
  readonly generatedBefore: Prepared<[key: number, before: number], string>;
  readonly forgetGenerated: Prepared<[key: number, before: number]>;
  readonly deleteGenerated: Prepared<[key: number]>;
}

export function prepareStatements(db: Database.Database): PreparedStatements {
  const fromSession = `SELECT ${SESSION_COLUMNS} FROM sessions s LEFT JOIN logs l ON l.id = s.log`;
  const touch = `UPDATE sessions SET revision = ?, updated_at = ?, version = ?, parts_version = ?, change = ?,
    next_row = ?, state = ?, crc = ?`;
  return {
    begin: db.prepare("BEGIN"),
    beginImmediate: db.prepare("BEGIN IMMEDIATE"),
    commit: db.prepare("COMMIT"),
    rollback: db.prepare("ROLLBACK"),
    dataVersion: db.prepare<[], number>("PRAGMA data_version").pluck(),
    userVersion: db.prepare<[], number>("PRAGMA user_version").pluck(),

    session: db.prepare(`${fromSession} WHERE s.place = ?`),
    sessionByKey: db.prepare(`${fromSession} WHERE s.key = ?`),
    insertSession:
      db.prepare(`INSERT INTO sessions (place, id, revision, created_at, updated_at, expires_at, deleted_at,
      parent, version, parts_version, change, updated_slot, change_block, log, next_row, state, crc)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    updateSession:
      db.prepare(`UPDATE sessions SET revision = ?, created_at = ?, updated_at = ?, expires_at = ?,
      deleted_at = ?, parent = ?, version = ?, parts_version = ?, change = ?, updated_slot = ?,
      change_block = ?, log = ?, next_row = ?, state = ?, crc = ?
      WHERE key = ?`),
    // An index is written whenever a column of it is named, so nearly every commit names only what nearly every one changes.
    touchSession: db.prepare(`${touch} WHERE key = ?`),
    touchSessionLater: db.prepare(`${touch}, updated_slot = ? WHERE key = ?`),
    moveSession: db.prepare(`${touch}, updated_slot = ?, change_block = ? WHERE key = ?`),
    // What was given out and forgotten since counts too: a number is never given twice.
    lastChange: db
      .prepare<
        [],
        number | null
      >(`SELECT max(ifnull((SELECT max(change) FROM sessions WHERE change_block = (SELECT max(change_block) FROM sessions)), 0),
        ifnull((SELECT CAST(value AS INTEGER) FROM store WHERE name = 'forgotten change'), 0))`)
      .pluck(),

    parts: db.prepare("SELECT n, kind, body, crc FROM parts WHERE key = ? ORDER BY n"),
    writePart: db.prepare("INSERT OR REPLACE INTO parts (key, n, kind, body, crc) VALUES (?, ?, ?, ?, ?)"),
    deletePart: db.prepare("DELETE FROM parts WHERE key = ? AND n = ?"),
    deleteParts: db.prepare("DELETE FROM parts WHERE key = ?"),

    addLabel: db.prepare("INSERT INTO labels (name, value, key) VALUES (?, ?, ?)"),
    deleteLabels: db.prepare("DELETE FROM labels WHERE key = ?"),

    addLog: db.prepare(
      "INSERT INTO logs (owner, layout, shared_until, dirty, staged_at) VALUES (?, 0, 0, 0, ?)",
    ),
    log: db.prepare("SELECT layout, shared_until FROM logs WHERE id = ?"),
    changeLog: db.prepare("UPDATE logs SET layout = ?, shared_until = ?, dirty = max(dirty, ?) WHERE id = ?"),
    shareLog: db.prepare(
      "UPDATE logs SET shared_until = max(shared_until, ?), staged_at = NULL WHERE id = ?",
    ),
    reserveRows: db.prepare("UPDATE sessions SET next_row = ?, version = ?, crc = ? WHERE key = ?"),
    stageLog: db.prepare("UPDATE logs SET staged_at = ? WHERE id = ?"),
    adoptLog: db.prepare("UPDATE logs SET owner = ?, staged_at = NULL WHERE id = ? AND owner IS NULL"),
    // If the commit used it, that is no longer set, and if not, nobody holds its rows.
    unstageLog: db.prepare(
      "UPDATE logs SET staged_at = NULL, dirty = 1 WHERE id = ? AND staged_at IS NOT NULL",
    ),
    leaveLog: db.prepare("UPDATE logs SET owner = NULL, dirty = 1 WHERE id = ?"),
    holdersOf: db
      .prepare<[number, number], number>(
        "SELECT owner FROM logs WHERE id = ? AND owner IS NOT NULL UNION SELECT key FROM leans WHERE log = ? ORDER BY 1",
      )
      .pluck(),
    addLean: db.prepare("INSERT OR IGNORE INTO leans (key, log) VALUES (?, ?)"),
    deleteLeans: db.prepare("DELETE FROM leans WHERE key = ?"),
    soilLeanedOn: db.prepare("UPDATE logs SET dirty = 1 WHERE id IN (SELECT log FROM leans WHERE key = ?)"),

    messages: db
      .prepare<[number, number], MessageRow>(
        "SELECT row, revision, crc, id, body FROM messages WHERE row >= ? AND row < ? ORDER BY row",
      )
      .raw(),
    countMessages: db
      .prepare<[number, number], number>("SELECT count(*) FROM messages WHERE row >= ? AND row < ?")
      .pluck(),
    countOf: db.prepare(`SELECT
      (SELECT count(*) FROM labels WHERE key = @key) AS labels,
      (SELECT count(*) FROM parts WHERE key = @key) AS parts,
      (SELECT count(*) FROM memories WHERE key = @key AND kind = 'commit') AS commits,
      (SELECT count(*) FROM memories WHERE key = @key AND kind = 'turn') AS turns`),
    countFragments: db.prepare<[number], number>("SELECT count(*) FROM fragments WHERE row = ?").pluck(),
    fragments: db
      .prepare<[number, number], FragmentRow>(
        "SELECT row, n, crc, op FROM fragments WHERE row >= ? AND row < ? ORDER BY row, n",
      )
      .raw(),
    indexedRows: db
      .prepare<[number, string], number>("SELECT row FROM messages WHERE log = ? AND id = ? AND indexed = 1")
      .pluck(),
    unindexedRows: db
      .prepare<[number, number, number, string], number>(
        `SELECT row FROM messages
          WHERE row >= (SELECT row - row % ${BLOCK} FROM messages WHERE row >= ? AND row < ? ORDER BY row DESC LIMIT 1)
          AND row < ? AND indexed = 0 AND id = ?`,
      )
      .pluck(),
    insertMessage: db.prepare(
      "INSERT INTO messages (row, log, id, revision, crc, body) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    appendMessage: db.prepare(
      "INSERT INTO messages (row, log, id, revision, crc, body, indexed) VALUES (?, ?, ?, ?, ?, ?, 0)",
    ),
    indexMessages: db.prepare("UPDATE messages SET indexed = 1 WHERE row >= ? AND row < ? AND indexed = 0"),
    updateMessage: db.prepare("UPDATE messages SET crc = ?, body = ? WHERE row = ?"),
    deleteMessages: db.prepare("DELETE FROM messages WHERE row >= ? AND row < ?"),
    nextFragment: db
      .prepare<[number], number>("SELECT ifnull(max(n) + 1, 0) FROM fragments WHERE row = ?")
      .pluck(),
    insertFragment: db.prepare(`INSERT INTO fragments (row, n, crc, op) VALUES (?, ?, ?, ?)`),
    deleteFragments: db.prepare("DELETE FROM fragments WHERE row >= ? AND row < ?"),

    memory: db.prepare("SELECT n, body FROM memories WHERE key = ? AND kind = ? AND id = ?"),
    memories: db.prepare("SELECT n, body FROM memories WHERE key = ? AND kind = ? ORDER BY n"),
    addMemory: db.prepare("INSERT INTO memories (key, kind, id, n, at, body) VALUES (?, ?, ?, ?, ?, ?)"),
    deleteMemories: db.prepare("DELETE FROM memories WHERE key = ? AND kind = ?"),
    newestForgettable: db
      .prepare<[number, string, number, number], number | null>(
        "SELECT max(at) FROM memories WHERE key = ? AND kind = ? AND n < ? AND at <= ?",
      )
      .pluck(),
    forgetMemories: db.prepare("DELETE FROM memories WHERE key = ? AND kind = ? AND n < ? AND at <= ?"),
    generatedAround: db
      .prepare<[number, string, string], string>(
        "SELECT entries FROM generated WHERE key = ? AND last >= ? AND first <= ?",
      )
      .pluck(),
    generated: db.prepare<[number], string>("SELECT entries FROM generated WHERE key = ? ORDER BY n").pluck(),
    addGenerated: db.prepare(
      "INSERT OR REPLACE INTO generated (key, last, first, n, entries) VALUES (?, ?, ?, ?, ?)",
    ),
    generatedBefore: db
      .prepare<[number, number], string>("SELECT entries FROM generated WHERE key = ? AND n < ? ORDER BY n")
      .pluck(),
    forgetGenerated: db.prepare("DELETE FROM generated WHERE key = ? AND n < ?"),
    deleteGenerated: db.prepare("DELETE FROM generated WHERE key = ?"),
  };
}
