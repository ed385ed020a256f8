import {
  copyOfState,
  extensionsIn,
  FINISHED_TURNS,
  type History,
  type LiveState,
  Runs,
  type Snapshot,
} from "@sessions/protocol/backend";
import { outOfLogs } from "./error-mapping.js";
import { HistoryWriter } from "./history-writer.js";
import { leaveLife } from "./leave-life.js";
import { MemoryWriter } from "./memory-writer.js";
import { PartWriter } from "./part-writer.js";
import { LAST_LOG } from "./row-number.js";
import { rowTextOf, stateText } from "./row-text.js";
import { runsOf } from "./runs-of.js";
import type { StagedMessages } from "./staged.js";
import { storable } from "./storable.js";
import {
  type CountedMemories,
  NO_DRAFTS,
  NO_PARTS,
  type OwnLog,
  type PartNumbers,
  type StoredSession,
} from "./stored-session.js";
import {
  type ChangedSession,
  type Identity,
  NOTHING_REMEMBERED,
  type WriteContext,
} from "./write-context.js";
import { writeSessionRow } from "./write-session-row.js";

/** Writes a session that lives: what has changed of it, and its row. */
export class LifeWriter {
  readonly #context: WriteContext;
  readonly #session: Identity;
  readonly #changed: ChangedSession;
  readonly #after: LiveState;
  /** What is stored of this life of it. */
  readonly #known: StoredSession | undefined;
  readonly #before: LiveState | undefined;
  readonly #histories: HistoryWriter;
  /** Snapshots that are written now, and the rows that they hold. */
  readonly #placed = new Map<Snapshot, Runs>();

  constructor(context: WriteContext, session: Identity, changed: ChangedSession, after: LiveState) {
    const { before, ops, staged } = changed;
    this.#context = context;
    this.#session = session;
    this.#changed = changed;
    this.#after = after;
    const goesOn = before?.state.status === "live" && before.state.incarnation === after.incarnation;
    this.#known = goesOn ? before : undefined;
    this.#before = goesOn ? before.state : undefined;
    if (!goesOn) leaveLife(context, before);
    const log = this.#known?.log ?? this.#adoptedLog(staged) ?? this.#newLog();
    const hints = { extensions: extensionsIn(ops), staged };
    const { topId = "", drafts = NO_DRAFTS } = this.#known ?? {};
    this.#histories = new HistoryWriter(context, log, { topId, drafts }, hints);
  }

  write(): StoredSession {
    const snapshots = this.#snapshots();
    const history = this.#history();
    const { parts, partsVersion } = this.#parts(history, snapshots);
    this.#labels();
    this.#leans();
    const counted = this.#memories();
    const { key } = this.#session;
    const { reader, statements } = this.#context;
    const commits = reader.window(key, counted);
    const finishedTurns = reader.turns(key, counted.turns);
    const state = copyOfState(this.#after);
    state.snapshots = snapshots;
    state.history = history;
    state.commits = commits;
    state.finishedTurns = finishedTurns;
    const { topId } = this.#histories;
    const log = this.#histories.finish();
    const { id, version, change } = this.#session;
    const head = runsOf(history);
    const drafts = this.#histories.draftsIn(head);
    const text = rowTextOf({ parts, counted, drafts }, state);
    const result = {
      key,
      id,
      version,
      change,
      partsVersion,
      log,
      parts,
      counted,
      topId,
      drafts,
      state,
      text,
    };
    const growing = { head, topId, generated: counted.generated };
    writeSessionRow(statements, result, this.#after, stateText(text, growing), this.#known);
    return result;
  }

  /** Those that are new are written; the messages of the others are in the table. */
  #snapshots(): readonly Snapshot[] {
    const { snapshots } = this.#after;
    if (snapshots === this.#before?.snapshots) return snapshots;
    const stored = snapshots.map((snapshot) => this.#stored(snapshot));
    const isDropped = this.#before?.snapshots.some((snapshot) => !stored.includes(snapshot)) ?? false;
    if (isDropped) this.#histories.soil();
    return stored;
  }

  #stored(snapshot: Snapshot): Snapshot {
    if (this.#known?.parts.snapshots.has(snapshot)) return snapshot;
    const runs = this.#histories.writeSnapshot(snapshot.history);
    const rebased = { ...snapshot, history: this.#rebased(snapshot.history, runs) };
    this.#placed.set(rebased, runs);
    return rebased;
  }

  #history(): History {
    const { history } = this.#after;
    const old = this.#before?.history;
    if (old?.messages === history.messages) return history;
    const before = old === undefined ? Runs.EMPTY : runsOf(old);
    return this.#rebased(history, this.#histories.writeHead(history, before));
  }

  /** A history as it is read from the table. */
  #rebased(history: History, runs: Runs): History {
    const snapshots = [...(this.#known?.parts.snapshots.keys() ?? []), ...this.#placed.keys()];
    return this.#context.reader.historyOf(runs, history, this.#histories.topId, snapshots);
  }

  #parts(history: History, snapshots: readonly Snapshot[]): Pick<StoredSession, "parts" | "partsVersion"> {
    const { metadata } = this.#after;
    const before = this.#before;
    const isSame =
      before?.metadata === metadata &&
      before.history.archives === history.archives &&
      before.snapshots === snapshots;
    if (this.#known !== undefined && isSame) return this.#known; // nearly every commit
    const numbers = this.#known?.parts ?? { ...NO_PARTS, next: this.#changed.before?.parts.next ?? 1 };
    const writer = new PartWriter(this.#context.statements, this.#session.key, numbers);
    const parts = writer.write(metadata, history, snapshots, this.#placed);
    const last = writer.hasWritten ? this.#session.version : (this.#known?.partsVersion ?? 0);
    return { parts, partsVersion: hasAny(parts) ? last : 0 };
  }

  #labels(): void {
    const { labels } = this.#after;
    if (this.#before?.labels === labels) return;
    const { statements } = this.#context;
    const { key } = this.#session;
    statements.deleteLabels.run(key);
    for (const [name, value] of Object.entries(labels))
      statements.addLabel.run(storable(name), storable(value), key);
  }

  #leans(): void {
    const { statements, sessions } = this.#context;
    // What it holds no longer may have been in another log than its own.
    if (this.#histories.isDirty) statements.soilLeanedOn.run(this.#session.key);
    for (const [log, until] of this.#histories.leans) {
      statements.addLean.run(this.#session.key, log);
      statements.shareLog.run(until, log);
      sessions.shares.set(log, Math.max(until, sessions.shares.get(log) ?? 0));
    }
  }

  #memories(): CountedMemories {
    const { statements, now } = this.#context;
    const before = this.#changed.before?.counted ?? NOTHING_REMEMBERED;
    const writer = new MemoryWriter(statements, this.#session.key, now);
    const { commits, finishedTurns } = this.#after;
    const isSame = finishedTurns === this.#before?.finishedTurns;
    const turns = isSame ? before.turns : writer.write("turn", finishedTurns, before.turns, FINISHED_TURNS);
    const { commits: given, generated } = writer.writeCommits(commits, before);
    return { commits: given, turns, generated };
  }

  /** The log that messages of a new session were staged in, if it is there still. */
  #adoptedLog(staged: StagedMessages | undefined): OwnLog | undefined {
    if (staged?.place.isNew !== true) return undefined;
    const { log: id, first, count, layout } = staged.place;
    const { changes } = this.#context.statements.adoptLog.run(this.#session.key, id);
    return changes === 0 ? undefined : { id, nextRow: first + count, layout, sharedUntil: 0 };
  }

  #newLog(): OwnLog {
    const id = Number(this.#context.statements.addLog.run(this.#session.key, null).lastInsertRowid);
    if (id > LAST_LOG) throw outOfLogs();
    return HistoryWriter.newLog(id);
  }
}

function hasAny({ metadata, archives, snapshots }: PartNumbers): boolean {
  return metadata.size + archives.size + snapshots.size > 0;
}
