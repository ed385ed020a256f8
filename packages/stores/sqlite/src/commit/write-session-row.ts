import type { StoredLive, StoredSession } from "@sessions/row-engine";
import type { SessionColumns, SessionsTable } from "../engine/tables/sessions-table.js";
import type { SessionEntry } from "../session/session-entry.js";
import { sessionChecksum, stateTextOf } from "../session/session-row.js";
import { sortKeyOf } from "../session/sort-key.js";

/** Writes the row of a session. `before`: the same life of it, if it continues. */
export function writeSessionRow(
  table: SessionsTable,
  entry: SessionEntry,
  before: SessionEntry | undefined,
): void {
  const columns = columnsOf(entry);
  if (before?.stored.status === "live" && isTouched(before.stored, entry.stored))
    table.touch(entry.key, columns, { change: before.change, updatedAt: before.stored.updatedAt });
  else table.update(entry.key, columns);
}

function columnsOf({ id, version, partsVersion, change, log, stored }: SessionEntry): SessionColumns {
  const isLive = stored.status === "live";
  const columns = {
    id,
    revision: stored.revision,
    created_at: isLive ? stored.createdAt : stored.deletedAt,
    updated_at: isLive ? stored.updatedAt : stored.deletedAt,
    expires_at: isLive ? (stored.expiresAt ?? null) : null,
    deleted_at: isLive ? null : stored.deletedAt,
    parent: isLive ? parentOf(stored) : null,
    version,
    parts_version: partsVersion,
    change,
    log,
    next_row: isLive ? stored.nextRow : 0,
    state: stateTextOf(stored),
    crc: 0,
  };
  columns.crc = sessionChecksum(columns);
  return columns;
}

function parentOf({ hot: { parent } }: StoredLive): Buffer | null {
  return parent === undefined ? null : sortKeyOf(parent.sessionId);
}

/** Whether only what nearly every commit changes is different. */
function isTouched(before: StoredLive, after: StoredSession): boolean {
  return (
    after.status === "live" &&
    before.createdAt === after.createdAt &&
    before.expiresAt === after.expiresAt &&
    before.hot.parent === after.hot.parent
  );
}
