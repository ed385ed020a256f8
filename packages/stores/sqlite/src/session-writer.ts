import {
  FINISHED_TURNS,
  GENERATED_COMMITS,
  GIVEN_COMMITS,
  type History,
  type LiveState,
  type Operation,
  type SessionState,
  type Snapshot,
  type Tombstone,
} from "@sessions/protocol";
import { outOfLogs } from "./error-mapping.js";
import { extensionsIn } from "./extensions.js";
import { HistoryWriter, type HistoryWriterContext } from "./history-writer.js";
import type { EndedState } from "./hot-state.js";
import { MemoryWriter } from "./memory-writer.js";
import { PartWriter } from "./part-writer.js";
import { placeOf } from "./place.js";
import { LAST_LOG } from "./row-number.js";
import { Segments } from "./segments.js";
import { segmentsOf } from "./segments-of.js";
import type { SessionReader } from "./session-reader.js";
import type { Sessions } from "./sessions.js";
import type { Staged } from "./staging.js";
import { storable } from "./storable.js";
import { NOTHING_COUNTED, NOTHING_GENERATED } from "./stored-memory.js";
import { type CountedMemories, NO_PARTS, type OwnLog, type StoredSession } from "./stored-session.js";
import { hotState, writeSessionRow } from "./write-session-row.js";

/** A session that commits have changed. */
export interface ChangedSession {
  readonly id: string;
  readonly before: StoredSession | undefined;
  readonly after: SessionState;
  /** What was applied to it. */
  readonly ops: readonly Operation[];
  readonly staged: Staged;
}

const NOTHING_REMEMBERED: CountedMemories = {
  commits: NOTHING_COUNTED,
  turns: NOTHING_COUNTED,
  generated: NOTHING_GENERATED,
};

interface Context extends HistoryWriterContext {
  readonly sessions: Sessions;
  readonly reader: SessionReader;
  readonly now: number;
}

/** Writes one session, within a transaction. Returns it as it is stored then. */
export function writeSession(context: Context, changed: ChangedSession): StoredSession {
  const { before, after, id } = changed;
  const key = before?.key ?? inserted(context, id);
  // A renewal is no change that anybody is told of.
  const isTold =
    before === undefined || before.state.revision !== after.revision || before.state.status !== after.status;
  const change = isTold ? context.sessions.nextChange() : before.change;
  const session = { key, id, version: (before?.version ?? 0) + 1, change };
  if (after.status === "deleted") return writeEnd(context, session, before, after);
  return writeLife(context, session, changed, after);
}

type Identity = Pick<StoredSession, "key" | "id" | "version" | "change">;

function inserted({ statements }: Context, id: string): number {
  const fields = [0, 0, 0, null, null, null, 0, 0, 0, 0, 0, "", 0] as const;
  return Number(statements.insertSession.run(placeOf(id), id, ...fields).lastInsertRowid);
}

function writeLife(
  context: Context,
  session: Identity,
  { before, ops, staged }: ChangedSession,
  after: LiveState,
): StoredSession {
  const { statements, reader } = context;
  const goesOn = before?.state.status === "live" && before.state.incarnation === after.incarnation;
  const known = goesOn ? before : undefined;
  if (known === undefined) leave(context, before);
  const log = known?.log ?? newLog(context, session.key);
  const writer = new HistoryWriter(context, log, known?.topId ?? "", {
    extensions: extensionsIn(ops),
    staged,
  });
  const placed = new Map<Snapshot, Segments>();
  const snapshots = after.snapshots.map((snapshot) => stored(snapshot));
  if (known !== undefined)
    for (const one of known.parts.snapshots.keys()) if (!snapshots.includes(one)) writer.soil();
  const history = headHistory();
  const parts = new PartWriter(
    statements,
    session.key,
    known?.parts ?? { ...NO_PARTS, next: before?.parts.next ?? 1 },
  );
  const state: LiveState = { ...after, snapshots, history };
  const numbers = parts.write(state, placed);
  const hasParts = numbers.metadata.size + numbers.archives.size + numbers.snapshots.size > 0;
  const kept = known?.partsVersion ?? 0;
  const partsVersion = !hasParts ? 0 : parts.hasWritten || kept === 0 ? session.version : kept;
  writeLabels(context, session.key, known?.state, after);
  writeLeans(context, session.key, writer.leans);
  const counted = writeMemories(context, session.key, after, before?.counted ?? NOTHING_REMEMBERED);
  const result: StoredSession = {
    ...session,
    partsVersion,
    log: writer.finish(),
    parts: numbers,
    counted,
    topId: writer.topId,
    state: {
      ...state,
      commits: reader.window(session.key, counted),
      finishedTurns: reader.turns(session.key, counted.turns),
    },
  };
  writeSessionRow(context.statements, result, after, hotState(result, state));
  return result;

  function stored(snapshot: Snapshot): Snapshot {
    if (known?.parts.snapshots.has(snapshot)) return snapshot;
    const segments = writer.writeSnapshot(snapshot.history);
    const rebased = { ...snapshot, history: rebase(snapshot.history, segments) };
    placed.set(rebased, segments);
    return rebased;
  }

  function headHistory(): History {
    const old = known?.state.status === "live" ? known.state.history : undefined;
    if (old !== undefined && old.messages === after.history.messages) return after.history;
    const segments = writer.writeHead(after.history, old === undefined ? Segments.EMPTY : segmentsOf(old));
    return rebase(after.history, segments);
  }

  function rebase(from: History, segments: Segments): History {
    return reader.history({ ...from, head: segments.toJson() }, writer.topId, snapshotsSoFar());
  }

  function snapshotsSoFar(): readonly Snapshot[] {
    return [...(known?.parts.snapshots.keys() ?? []), ...placed.keys()];
  }
}

function writeEnd(
  context: Context,
  session: Identity,
  before: StoredSession | undefined,
  after: Tombstone,
): StoredSession {
  const { statements, reader } = context;
  leave(context, before);
  statements.deleteLabels.run(session.key);
  statements.deleteMemories.run(session.key, "turn");
  const counted = {
    ...writeCommits(context, session.key, after, before?.counted ?? NOTHING_REMEMBERED),
    turns: NOTHING_COUNTED,
  };
  const state: Tombstone = { ...after, commits: reader.window(session.key, counted) };
  const result: StoredSession = { ...session, partsVersion: 0, parts: NO_PARTS, counted, topId: "", state };
  const ended: EndedState = { commits: counted.commits, generated: counted.generated };
  writeSessionRow(
    context.statements,
    result,
    { ...after, createdAt: after.deletedAt, updatedAt: after.deletedAt },
    ended,
  );
  return result;
}

/** A life of a session is over: nobody writes to its log any more, and its rows go when nobody uses them. */
function leave({ statements }: Context, before: StoredSession | undefined): void {
  if (before?.log === undefined) return;
  statements.leaveLog.run(before.log.id);
  statements.soilLeanedOn.run(before.key);
  statements.deleteLeans.run(before.key);
  statements.deleteParts.run(before.key);
}

function newLog({ statements }: Context, key: number): OwnLog {
  const id = Number(statements.addLog.run(key, null).lastInsertRowid);
  if (id > LAST_LOG) throw outOfLogs();
  return HistoryWriter.newLog(id);
}

function writeLabels(
  { statements }: Context,
  key: number,
  before: SessionState | undefined,
  { labels }: LiveState,
): void {
  if (before?.status === "live" && before.labels === labels) return;
  statements.deleteLabels.run(key);
  for (const [name, value] of Object.entries(labels))
    statements.addLabel.run(storable(name), storable(value), key);
}

function writeLeans(
  { statements, sessions }: Context,
  key: number,
  leans: ReadonlyMap<number, number>,
): void {
  for (const [log, until] of leans) {
    statements.addLean.run(key, log);
    statements.shareLog.run(until, log);
    sessions.shares.set(log, Math.max(until, sessions.shares.get(log) ?? 0));
  }
}

function writeMemories(
  context: Context,
  key: number,
  after: LiveState,
  before: CountedMemories,
): CountedMemories {
  const writer = new MemoryWriter(context.statements, key, context.now);
  const turns = writer.write("turn", after.finishedTurns, before.turns, FINISHED_TURNS);
  return { ...writeCommits(context, key, after, before), turns };
}

function writeCommits(
  { statements, now }: Context,
  key: number,
  { commits }: SessionState,
  before: CountedMemories,
): Pick<CountedMemories, "commits" | "generated"> {
  const writer = new MemoryWriter(statements, key, now);
  return {
    commits: writer.write("commit", commits.given, before.commits, GIVEN_COMMITS),
    generated: writer.writeGenerated(commits, before.generated, GENERATED_COMMITS),
  };
}
