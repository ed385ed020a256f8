import { Damage, parseStored } from "@sessions/protocol/backend";
import {
  hotStateText,
  NO_PARTS,
  type PartRow,
  readHotState,
  readParts,
  type StoredLive,
  type StoredSession,
  type StoredTombstone,
} from "@sessions/row-engine";
import { checksum } from "../engine/checksum.js";
import type { SessionRow } from "../engine/tables/sessions-table.js";

type TombstoneState = Pick<StoredTombstone, "commits" | "generated">;

/** Where a session is stored, for errors. */
export function locationOf(key: number): string {
  return `sessions, key ${key}`;
}

/** The session that a row holds. `partsOf` reads its parts, if it has any. */
export function storedSessionOf(row: SessionRow, partsOf: () => StoredLive["parts"]): StoredSession {
  requireChecksum(row);
  const { revision, created_at: createdAt, updated_at: updatedAt, deleted_at: deletedAt } = row;
  if (deletedAt !== null)
    return {
      status: "deleted",
      revision,
      deletedAt,
      ...parseStored<TombstoneState>(row.state, locationOf(row.key)),
    };
  return {
    status: "live",
    revision,
    createdAt,
    updatedAt,
    expiresAt: row.expires_at ?? undefined,
    nextRow: row.next_row,
    hot: readHotState(row.state, locationOf(row.key)),
    parts: row.parts_version === 0 ? NO_PARTS : partsOf(),
  };
}

export function partsOf(rows: readonly PartRow[], key: number): StoredLive["parts"] {
  return readParts(rows, `parts of session ${key}`);
}

/** The `state` column of a session. */
export function stateTextOf(stored: StoredSession): string {
  if (stored.status === "live") return hotStateText(stored.hot);
  const { commits, generated } = stored;
  const state: TombstoneState = { commits, generated };
  return JSON.stringify(state);
}

export function sessionChecksum(
  row: Omit<SessionRow, "crc" | "key" | "version" | "parts_version" | "change">,
): number {
  const { id, revision, created_at, updated_at, expires_at, deleted_at, log, next_row, state } = row;
  return checksum(id, revision, created_at, updated_at, expires_at, deleted_at, log, next_row, state);
}

/** Throws `Damage` if a row is not what was written. */
export function requireChecksum(row: SessionRow): void {
  if (sessionChecksum(row) !== row.crc) throw new Damage(locationOf(row.key), "does not match its checksum");
}
