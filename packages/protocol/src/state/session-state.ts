import type { Ticket, TurnState } from "../backend/session-record.js";
import type { TurnMemory } from "../session/session-document.js";
import type { SessionFields } from "../session/session-fields.js";
import type { SnapshotInfo } from "../session/snapshot-info.js";
import type { LastTurn } from "../session/turn-info.js";
import type { WithUnknownFields } from "../session/unknown-fields.js";
import type { History } from "./history.js";
import type { CommitWindow } from "./memory/commit-window.js";
import type { Memory } from "./memory/memory.js";
import type { Mutable } from "./mutable.js";

/** A snapshot keeps the history itself. Histories are immutable and share their structure, so this costs nothing. */
export interface Snapshot extends SnapshotInfo, WithUnknownFields {
  readonly history: History;
}

/** A session that exists. Immutable. */
export interface LiveState extends SessionFields, WithUnknownFields {
  readonly status: "live";
  readonly history: History;
  /** The revision of the last commit that removed, replaced, updated or restored messages; 0 if none has. */
  readonly rewrittenAt: number;
  readonly snapshots: readonly Snapshot[];
  readonly turn?: TurnState;
  readonly queue: readonly Ticket[];
  readonly lastTurn?: LastTurn;
  readonly finishedTurns: Memory<TurnMemory>;
  readonly commits: CommitWindow;
}

/** The rest of a deleted or expired session: revisions never decrease, and repeated commits are recognized. */
export interface Tombstone {
  readonly status: "deleted";
  readonly revision: number;
  readonly deletedAt: number;
  readonly commits: CommitWindow;
}

/** The state that commits are applied to. `undefined` means that the session never existed or its tombstone was dropped. */
export type SessionState = LiveState | Tombstone;

/** A copy that the caller may change before it shares it. Field by field: every commit makes one, and a spread costs more. */
export function copyOfState(state: LiveState): Mutable<LiveState> {
  const copy: Mutable<LiveState> = {
    status: "live",
    incarnation: state.incarnation,
    revision: state.revision,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    labels: state.labels,
    metadata: state.metadata,
    counters: state.counters,
    history: state.history,
    rewrittenAt: state.rewrittenAt,
    snapshots: state.snapshots,
    queue: state.queue,
    finishedTurns: state.finishedTurns,
    commits: state.commits,
  };
  if (state.expiresAt !== undefined) copy.expiresAt = state.expiresAt;
  if (state.expiresIn !== undefined) copy.expiresIn = state.expiresIn;
  if (state.renewOnUse !== undefined) copy.renewOnUse = state.renewOnUse;
  if (state.title !== undefined) copy.title = state.title;
  if (state.parent !== undefined) copy.parent = state.parent;
  if (state.turn !== undefined) copy.turn = state.turn;
  if (state.lastTurn !== undefined) copy.lastTurn = state.lastTurn;
  if (state.unknownFields !== undefined) copy.unknownFields = state.unknownFields;
  return copy;
}

/** The state at a time. An expired session is a tombstone from that moment on. */
export function stateAt(state: SessionState | undefined, at: number): SessionState | undefined {
  if (state?.status !== "live" || state.expiresAt === undefined || state.expiresAt > at) return state;
  // An expiry raises the revision, so that a watcher that knows the last revision is notified.
  return {
    status: "deleted",
    revision: state.revision + 1,
    deletedAt: state.expiresAt,
    commits: state.commits,
  };
}

/** The revision of a session that exists; 0 if there is none. */
export function liveRevision(state: SessionState | undefined): number {
  return state?.status === "live" ? state.revision : 0;
}
