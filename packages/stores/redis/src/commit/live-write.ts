import type { LiveState } from "@sessions/protocol/backend";
import {
  type LivePlan,
  type LoadedSession,
  memoryChangesOf,
  NO_MAX_ID,
  openHotStateText,
  type PartRow,
  planLive,
  type Run,
  Runs,
  runDifference,
  type StoredLive,
  type StoredMessage,
} from "@sessions/row-engine";
import { FIELDS, LIMITS } from "../keys/fields.js";
import { checkedText } from "../session/checked-text.js";
import { extensionField } from "../session/load-request.js";
import type { RedisSessionRows } from "../session/redis-session-rows.js";
import { extensionText, rowText } from "../session/row-text.js";
import { atLater, generatedCounts, NO_REMAINS, type SessionEntry } from "../session/session-entry.js";
import type { SessionHead } from "../session/session-head.js";
import { NO_UNUSED_ROWS, type UnusedRows, unusedRowsText, withReleased } from "../session/unused-rows.js";
import type { CommitWrite, Expiry, MemoryEntry, Pair } from "./commit-write.js";
import type { StateChange } from "./decide.js";
import { indexEntryText, setChanges } from "./index-changes.js";
import { expiryAt, recordDifference } from "./record-fields.js";
import {
  commonWrite,
  engineChange,
  liveStateOf,
  memoriesAfter,
  type SessionWrite,
  type WriteContext,
  type WrittenRow,
} from "./write-context.js";

/** More rows than this are removed after the commit. */
const MAX_ROWS_DROPPED = 200;
/** How long rows are kept that were written ahead of a commit that does not come. */
const STAGED_ROWS_KEPT_MS = 3_600_000;

/** Writes a session that lives. Throws `ReadRequired` for what has to be read first. */
export function liveWrite(context: WriteContext, change: StateChange, after: LiveState): SessionWrite {
  return new LiveWriter(context, change, after).write();
}

class LiveWriter {
  readonly #context: WriteContext;
  readonly #change: StateChange;
  readonly #after: LiveState;
  readonly #before: LoadedSession | undefined;
  readonly #plan: LivePlan;
  readonly #head: SessionHead | undefined;
  readonly #written: WrittenRow[] = [];

  constructor(context: WriteContext, change: StateChange, after: LiveState) {
    this.#context = context;
    this.#change = change;
    this.#after = after;
    this.#before = change.before;
    this.#head = context.entry.head;
    this.#plan = planLive(engineChange(context, change), after);
  }

  write(): SessionWrite {
    const { entry, staged, version } = this.#context;
    const { isNewLife } = this.#plan;
    const unused = this.#unused();
    const head = this.#headAfter(version);
    const liveBefore = liveStateOf(this.#before?.state);
    const index = indexEntryText(this.#after);
    const indexBefore = liveBefore === undefined ? entry.remains.entry : indexEntryText(liveBefore);
    const indexed = {
      ...head,
      index: index === "" ? "" : index === indexBefore && !isNewLife ? head.index : version,
    };
    const record = recordDifference(this.#head, indexed);
    const turns = memoryChangesOf(this.#after.finishedTurns);
    const write: CommitWrite = {
      ...commonWrite(this.#context, this.#change),
      isLive: true,
      revision: head.revision,
      ...this.#expiry(),
      entry: index === indexBefore ? undefined : index,
      clearsTurns: turns.source === undefined ? turns.horizon : undefined,
      isNewLife,
      staged: staged?.key,
      sets: setChanges(this.#context.keys.partition, entry, liveBefore, { live: this.#after }),
      recordFields: record.fields,
      recordGone: record.gone,
      sessionFields: [...this.#stateFields(unused.after), ...this.#rowFields()],
      sessionGone: this.#goneFields(unused.after),
      ids: this.#plan.inserts.map(({ row, message }) => [message.id, row]),
      dropped: unused.dropped,
      turns: turns.added.map((turn): MemoryEntry => [turn.id, turn.at, JSON.stringify(turn)]),
    };
    return { write, after: this.#entryAfter(indexed, unused.after), written: this.#written };
  }

  /** Released rows whose messages are known go with the commit. The others are noted, and go later. */
  #unused(): { readonly after: UnusedRows; readonly dropped: CommitWrite["dropped"] } {
    const { entry, staged, rows } = this.#context;
    const { isNewLife, released, stored } = this.#plan;
    const before = isNewLife ? NO_UNUSED_ROWS : (entry.content?.unused ?? NO_UNUSED_ROWS);
    const isOld = (at: number): boolean => this.#change.at - at > STAGED_ROWS_KEPT_MS;
    const abandoned = before.staged.filter(([from, , at]) => from !== staged?.first && isOld(at));
    const kept = before.staged.filter(([from, , at]) => from !== staged?.first && !isOld(at));
    const base = withReleased({ released: before.released, staged: kept }, [
      ...abandoned.map(([from, to]) => ({ from, to })),
      ...this.#unusedStaged(stored),
    ]);
    const dropped = this.#dropped(released, rows);
    return dropped === undefined
      ? { after: withReleased(base, released), dropped: [] }
      : { after: base, dropped };
  }

  /** Rows that were written ahead and that the commit has not used after all. */
  #unusedStaged({ hot, parts }: StoredLive): readonly Run[] {
    const { staged } = this.#context;
    if (staged === undefined) return [];
    const held = [hot.head, ...[...parts.snapshots.values()].map((snapshot) => snapshot.rows)];
    return runDifference(
      [{ from: staged.first, to: staged.messages.end }],
      held.flatMap((runs) => runs.list),
    );
  }

  #dropped(released: readonly Run[], rows: RedisSessionRows): CommitWrite["dropped"] | undefined {
    const runs = new Runs(released);
    if (runs.length > MAX_ROWS_DROPPED) return undefined;
    const dropped: (readonly [number, string])[] = [];
    for (const row of runs.rows()) {
      const stored = rows.known(row);
      if (stored === undefined) return undefined;
      dropped.push([row, stored.message.id]);
    }
    return dropped;
  }

  #headAfter(version: string): SessionHead {
    const { stored, isNewLife } = this.#plan;
    const { revision, createdAt, updatedAt, expiresAt, nextRow } = stored;
    const { renewOnUse, expiresIn, turn } = this.#after;
    const { given, generated } = memoriesAfter(this.#head, this.#after.commits);
    return {
      revision,
      version,
      life: isNewLife || this.#head === undefined ? version : this.#head.life,
      createdAt,
      updatedAt,
      expiresAt,
      renews: renewOnUse === true ? expiresIn : undefined,
      nextRow,
      index: this.#head?.index ?? "",
      deletedAt: undefined,
      token: turn?.token,
      given,
      generated,
    };
  }

  #expiry(): { readonly sessionExpiry: Expiry; readonly recordExpiry: Expiry } {
    const { expiresAt } = this.#after;
    const isKept = !this.#plan.isNewLife && this.#head?.expiresAt === expiresAt;
    if (isKept) return { sessionExpiry: "keep", recordExpiry: "keep" };
    if (expiresAt === undefined) return { sessionExpiry: "never", recordExpiry: "never" };
    return { sessionExpiry: expiryAt(expiresAt), recordExpiry: expiryAt(expiresAt + LIMITS.TOMBSTONE_MS) };
  }

  #stateFields(unused: UnusedRows): readonly Pair[] {
    const { stored, parts } = this.#plan;
    const fields: Pair[] = [[FIELDS.STATE, checkedText(openHotStateText(stored.hot, stored.nextRow))]];
    if (this.#hasOtherParts()) fields.push([FIELDS.PARTS, partList(stored)]);
    for (const part of parts.put) fields.push([`${FIELDS.PART}${part.n}`, partText(part)]);
    const text = unusedRowsText(unused);
    if (text !== "" && text !== this.#unusedTextBefore()) fields.push([FIELDS.UNUSED, text]);
    return fields;
  }

  #hasOtherParts(): boolean {
    const { parts, isNewLife } = this.#plan;
    return isNewLife || parts.put.length + parts.remove.length > 0;
  }

  #unusedTextBefore(): string {
    const { content } = this.#context.entry;
    return content === undefined || this.#plan.isNewLife ? "" : unusedRowsText(content.unused);
  }

  #rowFields(): readonly Pair[] {
    const { inserts, rewrites, extensions } = this.#plan;
    const fields: Pair[] = [];
    for (const { row, message, revision } of [...inserts, ...rewrites]) {
      const text = rowText(message, revision);
      fields.push([`${FIELDS.ROW}${row}`, text]);
      this.#written.push({ row, stored: { message, revision }, size: text.length });
    }
    for (const { row, n, revision, op } of extensions)
      fields.push([extensionField(row, n), extensionText(revision, op)]);
    return fields;
  }

  /** Removed parts, and the extensions of drafts that were written anew. */
  #goneFields(unused: UnusedRows): readonly string[] {
    const { parts, rewrites, isNewLife } = this.#plan;
    if (isNewLife) return [];
    const drafts = this.#context.entry.content?.hot.drafts;
    const gone = parts.remove.map((n) => `${FIELDS.PART}${n}`);
    for (const { row } of rewrites)
      for (let n = 0; n < (drafts?.get(row) ?? 0); n++) gone.push(extensionField(row, n));
    if (unusedRowsText(unused) === "" && this.#unusedTextBefore() !== "") gone.push(FIELDS.UNUSED);
    return gone;
  }

  #entryAfter(head: SessionHead, unused: UnusedRows): SessionEntry {
    const { entry } = this.#context;
    const { stored, drafts: written, isNewLife } = this.#plan;
    const drafts = new Map<number, StoredMessage>();
    for (const row of stored.hot.drafts.keys()) {
      const draft = written.get(row) ?? (isNewLife ? undefined : entry.content?.drafts.get(row));
      if (draft !== undefined) drafts.set(row, draft);
    }
    const { given: commits, generated } = head;
    const hot = { ...stored.hot, maxId: NO_MAX_ID, commits, generated: generatedCounts(generated) };
    const content = { hot, parts: stored.parts, drafts, unused };
    const { at } = this.#change;
    return { ...entry, ...atLater(entry, at), head, content, remains: NO_REMAINS };
  }
}

/** The numbers of the parts; those of metadata have an m behind them. */
function partList({ parts }: StoredLive): string {
  const numbers = [
    ...[...parts.metadataParts.values()].map((n): readonly [number, string] => [n, `${n}m`]),
    ...[...parts.archives.keys(), ...parts.snapshots.keys()].map((n): readonly [number, string] => [
      n,
      `${n}`,
    ]),
  ];
  return numbers
    .toSorted(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join(" ");
}

function partText({ kind, body }: PartRow): string {
  return `${kind} ${checkedText(body)}`;
}
