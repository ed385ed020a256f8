import type { LiveState, SessionState } from "@sessions/protocol";
import type { EndedState, HotState } from "./hot-state.js";
import { placeOf } from "./place.js";
import { segmentsOf } from "./segments-of.js";
import { sessionChecksum } from "./session-reader.js";
import type { Statements } from "./statements.js";
import type { StoredSession } from "./stored-session.js";

/** What a session's row says of a live session beside its columns. */
export function hotState({ parts, counted, topId }: StoredSession, state: LiveState): HotState {
  const { title, parent, turn, lastTurn, history } = state;
  return {
    incarnation: state.incarnation,
    title,
    labels: state.labels,
    counters: state.counters,
    parent,
    turn,
    queue: state.queue,
    lastTurn,
    head: segmentsOf(history).toJson(),
    liveFrom: history.liveFrom,
    partials: history.partials,
    archives: history.archives.map((archive) => parts.archives.get(archive) ?? 0),
    nextPart: parts.next,
    topId,
    commits: counted.commits,
    turns: counted.turns,
    generated: counted.generated,
  };
}

interface Times {
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt?: number;
  readonly deletedAt?: number;
  readonly parent?: LiveState["parent"];
}

/** Writes the row of a session, which is there already. `before`: the same life of it, if it goes on. */
export function writeSessionRow(
  statements: Statements,
  session: StoredSession,
  fields: Times,
  hot: HotState | EndedState,
  before: SessionState | undefined,
): void {
  const { revision, createdAt, updatedAt, expiresAt = null, deletedAt = null, parent } = fields;
  const { id: log, nextRow } = session.log ?? { id: 0, nextRow: 0 };
  const state = JSON.stringify(hot);
  const crc = sessionChecksum({
    id: session.id,
    revision,
    created_at: createdAt,
    updated_at: updatedAt,
    expires_at: expiresAt,
    deleted_at: deletedAt,
    log,
    next_row: nextRow,
    state,
  });
  const { version, partsVersion, change, key } = session;
  if (before?.status === "live" && isKept(before, fields)) {
    statements.touchSession.run(revision, updatedAt, version, partsVersion, change, nextRow, state, crc, key);
    return;
  }
  const parentPlace = parent === undefined ? null : placeOf(parent.sessionId);
  statements.updateSession.run(
    revision,
    createdAt,
    updatedAt,
    expiresAt,
    deletedAt,
    parentPlace,
    version,
    partsVersion,
    change,
    log,
    nextRow,
    state,
    crc,
    key,
  );
}

/** Whether only what every commit changes is different. */
function isKept(before: LiveState, { createdAt, expiresAt, parent }: Times): boolean {
  return before.createdAt === createdAt && before.expiresAt === expiresAt && before.parent === parent;
}
