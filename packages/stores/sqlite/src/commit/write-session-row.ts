import type { LiveState } from "@sessions/protocol/backend";
import { placeOf } from "../session/sort-key.js";
import { sessionChecksum } from "../session/session-row.js";
import type { Statements } from "../engine/statements.js";
import type { StoredSession } from "../stored-session.js";

interface Times {
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt?: number;
  readonly deletedAt?: number;
  readonly parent?: LiveState["parent"];
}

/** Sessions of one slot of time, and of so many changes, are together in an index: see the schema. */
const SLOT_MS = 20;
const CHANGES = 64;

export function slotOf(time: number): number {
  return Math.floor(time / SLOT_MS);
}

export function blockOf(change: number): number {
  return Math.floor(change / CHANGES);
}

/** Writes the row of a session, which is there already. `state` is what its columns do not say. `before`: the same life of it, if it goes on. */
export function writeSessionRow(
  statements: Statements,
  session: StoredSession,
  fields: Times,
  state: string,
  before: StoredSession | undefined,
): void {
  const { revision, updatedAt } = fields;
  const { version, partsVersion, change, key, log } = session;
  const crc = checksumOf(session, fields, state);
  if (before?.state.status !== "live" || log === undefined || !isKept(before.state, fields)) {
    writeAll(statements, session, fields, state, crc);
    return;
  }
  const { nextRow } = log;
  const slot = slotOf(updatedAt);
  const block = blockOf(change);
  if (blockOf(before.change) !== block) {
    const { moveSession: move } = statements;
    move.run(revision, updatedAt, version, partsVersion, change, nextRow, state, crc, slot, block, key);
  } else if (slotOf(before.state.updatedAt) !== slot) {
    const { touchSessionLater: touch } = statements;
    touch.run(revision, updatedAt, version, partsVersion, change, nextRow, state, crc, slot, key);
  } else {
    const { touchSession: touch } = statements;
    touch.run(revision, updatedAt, version, partsVersion, change, nextRow, state, crc, key);
  }
}

function writeAll(
  statements: Statements,
  session: StoredSession,
  fields: Times,
  state: string,
  crc: number,
): void {
  const { revision, createdAt, updatedAt, expiresAt = null, deletedAt = null, parent } = fields;
  const { version, partsVersion, change, key } = session;
  statements.updateSession.run(
    revision,
    createdAt,
    updatedAt,
    expiresAt,
    deletedAt,
    parent === undefined ? null : placeOf(parent.sessionId),
    version,
    partsVersion,
    change,
    slotOf(updatedAt),
    blockOf(change),
    session.log?.id ?? 0,
    session.log?.nextRow ?? 0,
    state,
    crc,
    key,
  );
}

function checksumOf({ id, log }: StoredSession, fields: Times, state: string): number {
  const { revision, createdAt, updatedAt, expiresAt = null, deletedAt = null } = fields;
  return sessionChecksum({
    id,
    revision,
    created_at: createdAt,
    updated_at: updatedAt,
    expires_at: expiresAt,
    deleted_at: deletedAt,
    log: log?.id ?? 0,
    next_row: log?.nextRow ?? 0,
    state,
  });
}

/** Whether only what every commit changes is different. */
function isKept(before: LiveState, { createdAt, expiresAt, parent }: Times): boolean {
  return before.createdAt === createdAt && before.expiresAt === expiresAt && before.parent === parent;
}
