import type { CommitWindow, History, LiveState, SessionState, Snapshot } from "@sessions/protocol/backend";
import { rowHistory } from "../history/row-history.js";
import { RowSource, storedRunsOf } from "../history/row-source.js";
import type { GeneratedCounts, MemoryCounts } from "../memory/memory-counts.js";
import { rowMemory } from "../memory/row-memory.js";
import { generatedMemory, storedMemory } from "../memory/stored-memory.js";
import type { Runs } from "../runs/runs.js";
import type { SessionRows } from "./session-rows.js";
import { archivesOf, type StoredSnapshot } from "./stored-parts.js";
import type { StoredLive, StoredSession } from "./stored-session.js";

/** A stored session and its state, whose messages are read when they are needed. */
export interface LoadedSession {
  readonly stored: StoredSession;
  readonly state: SessionState;
  /** The snapshots of the state, and the numbers of the parts that they are in. */
  readonly snapshotParts: ReadonlyMap<Snapshot, number>;
}

/** Puts the state of a session together. `location` says where it is stored, for errors. */
export function loadSession(stored: StoredSession, rows: SessionRows, location: string): LoadedSession {
  if (stored.status === "live") return new LiveLoader(stored, rows, location).load();
  const { revision, deletedAt, commits, generated } = stored;
  const state = {
    status: "deleted",
    revision,
    deletedAt,
    commits: windowOf(rows, commits, generated),
  } as const;
  return { stored, state, snapshotParts: NO_SNAPSHOTS };
}

const NO_SNAPSHOTS: ReadonlyMap<Snapshot, number> = new Map();
const NO_ARCHIVES: readonly never[] = [];

function windowOf(rows: SessionRows, commits: MemoryCounts, generated: GeneratedCounts): CommitWindow {
  return {
    given: rowMemory(storedMemory(rows, "commit", commits)),
    generated: rowMemory(generatedMemory(rows, generated)),
  };
}

class LiveLoader {
  readonly #stored: StoredLive;
  readonly #rows: SessionRows;
  readonly #location: string;

  constructor(stored: StoredLive, rows: SessionRows, location: string) {
    this.#stored = stored;
    this.#rows = rows;
    this.#location = location;
  }

  load(): LoadedSession {
    const snapshotParts = this.#snapshots();
    return {
      stored: this.#stored,
      state: this.#state([...snapshotParts.keys()]),
      snapshotParts,
    };
  }

  /** Field by field: every commit loads a state, and spreads cost more. */
  #state(snapshots: readonly Snapshot[]): LiveState {
    const { revision, createdAt, updatedAt, expiresAt, hot, parts } = this.#stored;
    const state: { -readonly [Field in keyof LiveState]: LiveState[Field] } = {
      status: "live",
      incarnation: hot.incarnation,
      revision,
      createdAt,
      updatedAt,
      labels: hot.labels,
      metadata: parts.metadata,
      counters: hot.counters,
      history: this.#history(hot.head, hot, snapshots),
      rewrittenAt: hot.rewrittenAt,
      snapshots,
      queue: hot.queue,
      finishedTurns: rowMemory(storedMemory(this.#rows, "turn", hot.turns)),
      commits: windowOf(this.#rows, hot.commits, hot.generated),
    };
    if (expiresAt !== undefined) state.expiresAt = expiresAt;
    if (hot.expiresIn !== undefined) state.expiresIn = hot.expiresIn;
    if (hot.renewOnUse !== undefined) state.renewOnUse = hot.renewOnUse;
    if (hot.title !== undefined) state.title = hot.title;
    if (hot.parent !== undefined) state.parent = hot.parent;
    if (hot.turn !== undefined) state.turn = hot.turn;
    if (hot.lastTurn !== undefined) state.lastTurn = hot.lastTurn;
    if (hot.unknownFields !== undefined) state.unknownFields = hot.unknownFields;
    return state;
  }

  #snapshots(): ReadonlyMap<Snapshot, number> {
    const { snapshots } = this.#stored.parts;
    if (snapshots.size === 0) return NO_SNAPSHOTS;
    const loaded = new Map<Snapshot, number>();
    for (const [n, stored] of snapshots) loaded.set(this.#snapshot(stored, [...loaded.keys()]), n);
    return loaded;
  }

  #snapshot(stored: StoredSnapshot, others: readonly Snapshot[]): Snapshot {
    const { name, createdAt, revision, messageCount, unknownFields } = stored;
    const history = this.#history(stored.rows, stored, others);
    return { name, createdAt, revision, messageCount, history, ...(unknownFields && { unknownFields }) };
  }

  /** Histories of the same rows share their messages, so that a comparison of the two need not read them. */
  #history(
    runs: Runs,
    { liveFrom, partials, archives: numbers }: Pick<StoredSnapshot, "liveFrom" | "partials" | "archives">,
    snapshots: readonly Snapshot[],
  ): History {
    const archives =
      numbers.length === 0 ? NO_ARCHIVES : archivesOf(this.#stored.parts, numbers, this.#location);
    const same = snapshots.find(({ history }) => storedRunsOf(history).equals(runs));
    if (same !== undefined) return { ...same.history, liveFrom, partials, archives };
    const source = new RowSource(runs, this.#rows, this.#stored.hot.maxId);
    return rowHistory(source, { liveFrom, partials, archives });
  }
}
