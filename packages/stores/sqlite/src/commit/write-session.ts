import type { LiveState, Message, Operation, SessionState, Tombstone } from "@sessions/protocol/backend";
import {
  type LivePlan,
  type MemoryPlan,
  planEnd,
  planLive,
  type Runs,
  type SessionChange,
  type StoredMessage,
} from "@sessions/row-engine";
import { logIsFull, tooManyLogs } from "../error-mapping.js";
import { firstRowOf, isBehindLog, logOf, MAX_LOG } from "../session/row-number.js";
import { heldRuns, type SessionEntry, sessionEntry } from "../session/session-entry.js";
import { sortKeyOf } from "../session/sort-key.js";
import { SqliteSessionRows } from "../session/sqlite-session-rows.js";
import type { StagedRows } from "./staged-rows.js";
import type { WriteContext } from "./write-context.js";
import { writeSessionRow } from "./write-session-row.js";

/** A session that commits have changed. */
export interface ChangedSession {
  readonly id: string;
  readonly before: SessionEntry | undefined;
  readonly after: SessionState;
  /** What was applied to it. */
  readonly ops: readonly Operation[];
  readonly staged: StagedRows | undefined;
}

/** A message that was written. */
interface WrittenMessage extends StoredMessage {
  readonly row: number;
  readonly bytes: number;
}

/** What was written of one session, to be cached when the transaction is committed. */
export interface WrittenSession {
  readonly entry: SessionEntry;
  readonly messages: readonly WrittenMessage[];
}

/** Writes one session, within a transaction. */
export function writeSession(context: WriteContext, changed: ChangedSession): WrittenSession {
  const { after } = changed;
  const writer = new SessionWriter(context, changed);
  const entry = after.status === "live" ? writer.writeLive(after) : writer.writeEnd(after);
  return { entry, messages: writer.written };
}

/** To be called when the transaction is committed. */
export function rememberWritten({ rows, sessions }: WriteContext, { entry, messages }: WrittenSession): void {
  for (const { row, bytes, message, revision } of messages)
    rows.messages.cache.put(logOf(row), row, { message, revision }, bytes);
  sessions.put(entry);
}

class SessionWriter {
  readonly #context: WriteContext;
  readonly #changed: ChangedSession;
  readonly #before: SessionEntry | undefined;
  readonly #key: number;
  readonly #change: number;
  readonly written: WrittenMessage[] = [];

  constructor(context: WriteContext, changed: ChangedSession) {
    const { id, before, after } = changed;
    this.#context = context;
    this.#changed = changed;
    this.#before = before;
    this.#key = before?.key ?? context.tables.sessions.insert(sortKeyOf(id), id);
    const isFed = before?.state.revision !== after.revision || before.state.status !== after.status;
    this.#change = isFed ? context.sessions.nextChange() : before.change; // a renewal is not fed
  }

  writeLive(after: LiveState): SessionEntry {
    const continues =
      this.#before?.state.status === "live" && this.#before.state.incarnation === after.incarnation;
    if (!continues) this.#endLife();
    const log = continues ? (this.#before?.log ?? 0) : this.#newLog();
    const plan = planLive(this.#sessionChange(log, after), after);
    if (isBehindLog(log, plan.stored.nextRow)) throw logIsFull();
    this.#writeMessages(log, plan);
    this.#writeParts(plan);
    this.#writeMemories(plan.memories);
    if (!continues || this.#labelsBefore() !== after.labels)
      this.#context.tables.labels.replace(this.#key, after.labels);
    return this.#writeRow(log, plan);
  }

  writeEnd(after: Tombstone): SessionEntry {
    const { tables, rows } = this.#context;
    const plan = planEnd(this.#sessionChange(0, undefined), after);
    this.#endLife();
    tables.labels.replace(this.#key, {});
    this.#writeMemories(plan.memories);
    const entry = sessionEntry(this.#version(0, 0), plan.stored, rows);
    writeSessionRow(tables.sessions, entry, undefined);
    return entry;
  }

  /** Nothing writes to the log of a session that has ended. Its rows go when no session refers to them. */
  #endLife(): void {
    const before = this.#before;
    if (before === undefined || before.log === 0) return;
    const { logs, parts } = this.#context.tables;
    logs.leave(before.log);
    for (const log of before.logs) this.#unrefer(log, before.log);
    parts.deleteAll(this.#key);
  }

  /** The log that its messages were staged in, or another new one. */
  #newLog(): number {
    const { logs } = this.#context.tables;
    const staged = this.#changed.staged;
    if (staged?.isNewLog === true && logs.adopt(staged.log, this.#key)) return staged.log;
    const log = logs.add(this.#key, null);
    if (log > MAX_LOG) throw tooManyLogs();
    return log;
  }

  #sessionChange(log: number, after: LiveState | undefined): SessionChange {
    const { before, ops, staged } = this.#changed;
    const { rows, now } = this.#context;
    let rowsOfParent: readonly Runs[] | undefined;
    return {
      before,
      ops,
      rows: before?.rows ?? new SqliteSessionRows(rows, this.#key, new Set([log])),
      rowOf: (message: Message) => rows.messages.cache.rowOf(message),
      isShared: (row) => {
        rowsOfParent ??= this.#rowsOfParent(after);
        return rowsOfParent.some((runs) => runs.has(row));
      },
      firstRow: firstRowOf(log),
      staged: staged?.log === log ? staged.messages : undefined,
      now: now(),
    };
  }

  /** The rows that the parent of a fork refers to. */
  #rowsOfParent(after: LiveState | undefined): readonly Runs[] {
    const parentId = after?.parent?.sessionId;
    if (parentId === undefined || parentId === this.#changed.id) return [];
    // Not cached: the parent may have been written in this transaction, which may still be rolled back.
    const entry = this.#context.sessions.readUncached(parentId);
    return entry === undefined ? [] : heldRuns(entry.stored);
  }

  #writeMessages(log: number, plan: LivePlan): void {
    const { tables, search } = this.#context;
    const next = plan.inserts[0]?.row;
    const waits = next !== undefined && tables.messageIds.mayWait(next, plan.inserts.length);
    if (next !== undefined && !waits) tables.messageIds.indexBefore(next);
    for (const { row, message, revision } of plan.inserts) {
      const body = JSON.stringify(message);
      tables.messages.insert(row, log, { id: message.id, revision, body }, !waits);
      search.put(row, message);
      this.written.push({ row, message, revision, bytes: body.length });
    }
    for (const { row, message, revision } of plan.rewrites) {
      const body = JSON.stringify(message);
      tables.messages.rewrite(row, { id: message.id, revision, body });
      search.replace(row, message);
      this.written.push({ row, message, revision, bytes: body.length });
    }
    for (const { row, n, revision, op } of plan.extensions)
      tables.messages.insertExtension(row, n, revision, JSON.stringify(op));
    for (const { from } of plan.released) tables.logs.markDirty(logOf(from));
  }

  #writeParts({ parts }: LivePlan): void {
    const { tables } = this.#context;
    for (const part of parts.put) tables.parts.put(this.#key, part);
    for (const n of parts.remove) tables.parts.delete(this.#key, n);
  }

  #writeMemories(plans: readonly MemoryPlan[]): void {
    const { memories } = this.#context.tables;
    for (const { kind, clears, add, forget } of plans) {
      if (clears) memories.clear(this.#key, kind);
      for (const entry of add) memories.add(this.#key, kind, entry);
      if (forget !== undefined) memories.forget(this.#key, kind, forget);
    }
  }

  #writeRow(log: number, plan: LivePlan): SessionEntry {
    const { tables, rows } = this.#context;
    const before = plan.isNewLife ? undefined : this.#before;
    const hasNewParts = plan.parts.put.length + plan.parts.remove.length > 0;
    const partsVersion = this.#partsVersion(plan, hasNewParts, before);
    const drafts = draftsAfter(plan, before);
    const entry = sessionEntry(this.#version(log, partsVersion), plan.stored, rows, drafts);
    this.#writeReferences(entry, before);
    writeSessionRow(tables.sessions, entry, before);
    return entry;
  }

  #partsVersion(plan: LivePlan, hasNewParts: boolean, before: SessionEntry | undefined): number {
    if (plan.stored.hot.partCount === 0) return 0;
    return hasNewParts || before === undefined ? this.#nextVersion() : before.partsVersion;
  }

  #writeReferences({ logs, log: own }: SessionEntry, before: SessionEntry | undefined): void {
    for (const log of logs)
      if (log !== own && before?.logs.has(log) !== true) this.#context.tables.logs.refer(this.#key, log);
    for (const log of before?.logs ?? []) if (!logs.has(log)) this.#unrefer(log, own);
  }

  #unrefer(log: number, own: number): void {
    if (log === own) return;
    const { logs } = this.#context.tables;
    logs.unrefer(this.#key, log);
    logs.markDirty(log);
  }

  #labelsBefore(): LiveState["labels"] | undefined {
    const state = this.#before?.state;
    return state?.status === "live" ? state.labels : undefined;
  }

  #nextVersion(): number {
    return (this.#before?.version ?? 0) + 1;
  }

  #version(log: number, partsVersion: number): Parameters<typeof sessionEntry>[0] {
    const { id } = this.#changed;
    return { key: this.#key, id, version: this.#nextVersion(), partsVersion, change: this.#change, log };
  }
}

/** The drafts of a session as they are known after a commit. */
function draftsAfter(plan: LivePlan, before: SessionEntry | undefined): ReadonlyMap<number, StoredMessage> {
  const drafts = new Map<number, StoredMessage>();
  for (const row of plan.stored.hot.drafts.keys()) {
    const stored = plan.drafts.get(row) ?? before?.rows.drafts.get(row);
    if (stored !== undefined) drafts.set(row, stored);
  }
  return drafts;
}
