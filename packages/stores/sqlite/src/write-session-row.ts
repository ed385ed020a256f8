import type { LiveState } from "@sessions/protocol";
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
    ...(title === undefined ? {} : { title }),
    labels: state.labels,
    counters: state.counters,
    ...(parent && { parent }),
    ...(turn && { turn }),
    queue: state.queue,
    ...(lastTurn && { lastTurn }),
    head: segmentsOf(history).toJson(),
    liveFrom: history.liveFrom,
    partials: history.partials,
    archives: history.archives.map((archive) => parts.archives.get(archive) ?? 0),
    nextPart: parts.next,
    topId,
    ...counted,
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

/** Writes the row of a session, which is there already. */
export function writeSessionRow(
  statements: Statements,
  session: StoredSession,
  fields: Times,
  hot: HotState | EndedState,
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
  const parentPlace = parent === undefined ? null : placeOf(parent.sessionId);
  const { version, partsVersion, change, key } = session;
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
