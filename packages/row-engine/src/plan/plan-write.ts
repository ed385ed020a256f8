import {
  extensionsIn,
  FINISHED_TURN_RETENTION,
  type LiveState,
  type Message,
  type Operation,
  type Snapshot,
  type Tombstone,
} from "@sessions/protocol/backend";
import { NOTHING_GENERATED, NOTHING_REMEMBERED } from "../memory/memory-counts.js";
import { runDifference } from "../runs/run-difference.js";
import type { MessageRow, Run, Runs } from "../runs/runs.js";
import type { LoadedSession } from "../session/load-session.js";
import type { SessionRows } from "../session/session-rows.js";
import { NO_PARTS, type StoredParts, type StoredSnapshot } from "../session/stored-parts.js";
import type { StoredLive } from "../session/stored-session.js";
import type { StagedMessages } from "../staging/staged-messages.js";
import { HistoryPlanner } from "./plan-history.js";
import { MemoryPlanner } from "./plan-memory.js";
import { PartPlanner, type PartsPlan } from "./plan-parts.js";
import type { EndPlan, LivePlan } from "./write-plan.js";

/** What commits have made of a session, and what is needed to plan its rows. */
export interface SessionChange {
  readonly before: LoadedSession | undefined;
  /** What was applied since `before`. */
  readonly ops: readonly Operation[];
  readonly rows: SessionRows;
  /** The row that holds this very message, in this session or another one. */
  readonly rowOf: (message: Message) => MessageRow | undefined;
  /** Whether this session may refer to a row of another one. Absent where sessions share no rows. */
  readonly isShared?: (row: number) => boolean;
  /** Where the rows of a new session begin. */
  readonly firstRow: number;
  /** Messages that were written before the commit that brings them. */
  readonly staged: StagedMessages | undefined;
  readonly now: number;
}

/** Plans what is written of a session that lives. Throws what `rows` throws. */
export function planLive(change: SessionChange, after: LiveState): LivePlan {
  return new LivePlanner(change, after).plan();
}

/** Plans what is written of a session that has ended. */
export function planEnd({ before, rows, now }: SessionChange, after: Tombstone): EndPlan {
  const stored = before?.stored;
  const memories = new MemoryPlanner(rows, now);
  if (stored?.status === "live") memories.clear("turn", stored.hot.turns);
  const { commits, generated } = memories.planCommits(after.commits, windowOf(before));
  const { revision, deletedAt } = after;
  return { stored: { status: "deleted", revision, deletedAt, commits, generated }, memories: memories.plans };
}

function windowOf(session: LoadedSession | undefined): Pick<StoredLive["hot"], "commits" | "generated"> {
  const stored = session?.stored;
  if (stored === undefined) return { commits: NOTHING_REMEMBERED, generated: NOTHING_GENERATED };
  return stored.status === "live" ? stored.hot : stored;
}

class LivePlanner {
  readonly #change: SessionChange;
  readonly #after: LiveState;
  /** What is stored of the same life of the session. */
  readonly #stored: StoredLive | undefined;
  readonly #before: LiveState | undefined;
  readonly #histories: HistoryPlanner;
  readonly #heldBefore: readonly Runs[];

  constructor(change: SessionChange, after: LiveState) {
    const { before, ops, rows, staged } = change;
    this.#change = change;
    this.#after = after;
    const continues =
      before?.state.status === "live" &&
      before.stored.status === "live" &&
      before.state.incarnation === after.incarnation;
    this.#stored = continues ? before.stored : undefined;
    this.#before = continues ? before.state : undefined;
    const snapshots = [...(this.#stored?.parts.snapshots.values() ?? [])].map((snapshot) => snapshot.rows);
    this.#heldBefore = this.#stored === undefined ? [] : [this.#stored.hot.head, ...snapshots];
    let extensions: ReturnType<typeof extensionsIn> | undefined;
    this.#histories = new HistoryPlanner({
      rows,
      nextRow: Math.max(this.#stored?.nextRow ?? change.firstRow, staged?.end ?? 0),
      maxId: this.#stored?.hot.maxId ?? "",
      drafts: this.#stored?.hot.drafts ?? NO_DRAFTS,
      snapshots,
      rowOf: (message) => staged?.find(message) ?? this.#storedRow(message),
      extensionsOf: (messageId) => {
        extensions ??= extensionsIn(ops);
        return extensions.get(messageId);
      },
      revision: after.revision,
    });
  }

  plan(): LivePlan {
    const memories = new MemoryPlanner(this.#change.rows, this.#change.now);
    const parts = this.#parts();
    const head = this.#head();
    const { inserts, rewrites, extensions, writtenDrafts } = this.#histories;
    return {
      stored: this.#storedLive(head, parts, memories),
      isNewLife: this.#stored === undefined,
      inserts,
      rewrites,
      extensions,
      drafts: writtenDrafts,
      released: this.#released(head, parts.stored),
      parts,
      memories: memories.plans,
    };
  }

  /** A row that holds this message, if the session or one that shares its rows still refers to it. */
  #storedRow(message: Message): MessageRow | undefined {
    const stored = this.#change.rowOf(message);
    if (stored === undefined) return undefined;
    const isHeld = this.#heldBefore.some((runs) => runs.has(stored.row));
    return isHeld || this.#change.isShared?.(stored.row) === true ? stored : undefined;
  }

  #parts(): PartsPlan {
    const before = this.#before;
    const { metadata, history, snapshots } = this.#after;
    const isSame =
      before?.metadata === metadata &&
      before.history.archives === history.archives &&
      before.snapshots === snapshots;
    if (this.#stored !== undefined && isSame) return unchangedParts(this.#stored); // as nearly every commit leaves them
    const planner = new PartPlanner(this.#stored?.parts ?? NO_PARTS, this.#stored?.hot.nextPart ?? 1);
    const known = this.#stored === undefined ? NO_SNAPSHOTS : this.#change.before?.snapshotParts;
    return planner.plan(this.#after, known ?? NO_SNAPSHOTS, (snapshot) =>
      this.#storedSnapshot(snapshot, planner),
    );
  }

  #storedSnapshot(snapshot: Snapshot, parts: PartPlanner): StoredSnapshot {
    const { name, createdAt, revision, messageCount, history, unknownFields } = snapshot;
    return {
      name,
      createdAt,
      revision,
      messageCount,
      rows: this.#histories.planSnapshot(history),
      liveFrom: history.liveFrom,
      partials: history.partials,
      archives: parts.archivesOf(history),
      unknownFields,
    };
  }

  #head(): Runs {
    const { history } = this.#after;
    if (this.#stored !== undefined && this.#before?.history.messages === history.messages)
      return this.#stored.hot.head;
    return this.#histories.planHead(history);
  }

  #storedLive(
    head: Runs,
    { stored: parts, archives, count: partCount, nextPart }: PartsPlan,
    memories: MemoryPlanner,
  ): StoredLive {
    const after = this.#after;
    const { history } = after;
    const snapshots = [...parts.snapshots.values()].map((snapshot) => snapshot.rows);
    const turns = this.#turns(memories);
    const { commits, generated } = memories.planCommits(after.commits, windowOf(this.#change.before));
    return {
      status: "live",
      revision: after.revision,
      createdAt: after.createdAt,
      updatedAt: after.updatedAt,
      expiresAt: after.expiresAt,
      nextRow: this.#histories.nextRow,
      parts,
      hot: {
        incarnation: after.incarnation,
        title: after.title,
        expiresIn: after.expiresIn,
        renewOnUse: after.renewOnUse,
        labels: after.labels,
        counters: after.counters,
        parent: after.parent,
        turn: after.turn,
        queue: after.queue,
        lastTurn: after.lastTurn,
        rewrittenAt: after.rewrittenAt,
        unknownFields: after.unknownFields,
        head,
        liveFrom: history.liveFrom,
        partials: history.partials,
        drafts: this.#histories.draftsIn([head, ...snapshots]),
        maxId: this.#histories.maxId,
        archives,
        nextPart,
        partCount,
        commits,
        turns,
        generated,
      },
    };
  }

  #turns(memories: MemoryPlanner): StoredLive["hot"]["turns"] {
    const { finishedTurns } = this.#after;
    const stored = this.#change.before?.stored;
    const before = stored?.status === "live" ? stored.hot.turns : NOTHING_REMEMBERED;
    if (finishedTurns === this.#before?.finishedTurns) return before;
    return memories.plan("turn", finishedTurns, before, FINISHED_TURN_RETENTION);
  }

  #released(head: Runs, parts: StoredParts): readonly Run[] {
    const before = this.#stored;
    if (before === undefined || (before.parts === parts && continues(before.hot.head, head))) return NONE;
    const held = [head, ...[...parts.snapshots.values()].map((snapshot) => snapshot.rows)];
    return runDifference(
      this.#heldBefore.flatMap((runs) => runs.list),
      held.flatMap((runs) => runs.list),
    );
  }
}

function unchangedParts({ parts: stored, hot }: StoredLive): PartsPlan {
  const { archives, partCount: count, nextPart } = hot;
  return { stored, archives, count, nextPart, put: NONE, remove: NONE };
}

const NO_DRAFTS: ReadonlyMap<number, number> = new Map();
const NO_SNAPSHOTS: ReadonlyMap<Snapshot, number> = new Map();
const NONE: readonly never[] = [];

/** Whether all that was there is there still, before what is new. */
function continues(before: Runs, after: Runs): boolean {
  const { list } = before;
  return list.every((run, index) => {
    const same = after.list[index];
    return same?.from === run.from && same.revision === run.revision && same.to >= run.to;
  });
}
