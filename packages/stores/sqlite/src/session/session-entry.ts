import {
  type LoadedSession,
  loadSession,
  type Runs,
  type StoredMessage,
  type StoredSession,
} from "@sessions/row-engine";
import { logsOf } from "./row-number.js";
import { locationOf } from "./session-row.js";
import { type RowTables, SqliteSessionRows } from "./sqlite-session-rows.js";

/** What identifies one version of a session in the database. */
export interface SessionVersion {
  readonly key: number;
  readonly id: string;
  /** Rises with every write. */
  readonly version: number;
  /** The version that last wrote a part; 0 if there are none. */
  readonly partsVersion: number;
  /** The number of its last change in the store. */
  readonly change: number;
  /** The log that it writes to; 0 for a deleted session. */
  readonly log: number;
}

/** A session of the database, loaded. */
export interface SessionEntry extends SessionVersion, LoadedSession {
  /** The logs that it refers to, its own included. */
  readonly logs: ReadonlySet<number>;
  readonly rows: SqliteSessionRows;
}

/** `drafts`: those that are known already. */
export function sessionEntry(
  version: SessionVersion,
  stored: StoredSession,
  tables: RowTables,
  drafts?: ReadonlyMap<number, StoredMessage>,
): SessionEntry {
  const { key, id, partsVersion, change, log } = version;
  const logs = stored.status === "live" ? new Set([log, ...logsOf(heldRuns(stored))]) : NO_LOGS;
  const rows = new SqliteSessionRows(tables, key, logs, drafts);
  const { state, snapshotParts } = loadSession(stored, rows, locationOf(key));
  return {
    key,
    id,
    version: version.version,
    partsVersion,
    change,
    log,
    logs,
    rows,
    stored,
    state,
    snapshotParts,
  };
}

const NO_LOGS: ReadonlySet<number> = new Set();

/** The rows that a session refers to: of its messages, and of its snapshots. */
export function heldRuns(stored: StoredSession): readonly Runs[] {
  if (stored.status !== "live") return [];
  const { hot, parts } = stored;
  if (parts.snapshots.size === 0) return [hot.head];
  return [hot.head, ...[...parts.snapshots.values()].map(({ rows }) => rows)];
}
