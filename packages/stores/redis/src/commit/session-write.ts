import type { LiveState, Message, SessionState, Tombstone } from "@sessions/protocol/backend";
import {
  type LivePlan,
  type LoadedSession,
  memoryChangesOf,
  NO_MAX_ID,
  openHotStateText,
  type PartRow,
  planEnd,
  planLive,
  type Run,
  Runs,
  runDifference,
  type SessionChange,
  type StoredLive,
  type StoredMessage,
} from "@sessions/row-engine";
import { FIELDS, LIMITS } from "../keys/fields.js";
import type { SessionKeys } from "../keys/keys.js";
import { checkedText } from "../session/checked-text.js";
import { extensionField } from "../session/load-request.js";
import { generatedText, givenText } from "../session/memory-text.js";
import type { AssumedAbsences, RedisSessionRows } from "../session/redis-session-rows.js";
import { extensionText, rowText } from "../session/row-text.js";
import type { SessionCache } from "../session/session-cache.js";
import { generatedCounts, NO_REMAINS, type SessionEntry } from "../session/session-entry.js";
import { memoryCounts, type SessionHead } from "../session/session-head.js";
import { NO_UNUSED_ROWS, type UnusedRows, unusedRowsText, withReleased } from "../session/unused-rows.js";
import type { CommitWrite, Expiry, MemoryEntry, Pair } from "./commit-write.js";
import type { StateChange } from "./decide.js";
import { indexEntryText, setChanges } from "./index-changes.js";
import type { StagedCommit } from "./staged-commit.js";

/** More rows than this are removed after the commit. */
const MAX_ROWS_DROPPED = 200;

/** What is written of a session, and what is known of it afterwards. */
export interface SessionWrite {
  readonly write: CommitWrite;
  readonly after: SessionEntry;
  readonly written: readonly WrittenRow[];
}

interface WrittenRow {
  readonly row: number;
  readonly stored: StoredMessage;
  readonly size: number;
}

interface WriteContext {
  readonly keys: SessionKeys;
  readonly cache: SessionCache;
  readonly entry: SessionEntry;
  readonly rows: RedisSessionRows;
  readonly staged: StagedCommit | undefined;
  /** What the decision took for granted; none where everything was read. */
  readonly assumed: AssumedAbsences | undefined;
  /** A text that was never used before. */
  readonly version: string;
}

/** Turns a decided commit into what is written. Throws `ReadRequired` for what has to be read first. */
export function sessionWrite(context: WriteContext, change: StateChange): SessionWrite {
  const { after } = change;
  return after.status === "live"
    ? new LiveWriter(context, change, after).write()
    : endWrite(context, change, after);
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
      ...common(this.#context, this.#change, this.#before),
      isLive: true,
      revision: head.revision,
      ...this.#expiry(),
      entry: index === indexBefore ? undefined : index,
      clearsTurns: isNewLife ? turns.horizon : undefined,
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
    return { ...entry, now: Math.max(entry.now, at), head, content, remains: NO_REMAINS };
  }
}

/** How long rows are kept that were written ahead of a commit that does not come. */
const STAGED_ROWS_KEPT_MS = 3_600_000;

function endWrite(context: WriteContext, change: StateChange, after: Tombstone): SessionWrite {
  const { entry, version } = context;
  const plan = planEnd(engineChange(context, change), after);
  const { revision, deletedAt } = plan.stored;
  const { given, generated } = memoriesAfter(entry.head, after.commits);
  const head: SessionHead = {
    revision,
    version,
    life: version,
    createdAt: entry.head?.createdAt ?? deletedAt,
    updatedAt: deletedAt,
    expiresAt: undefined,
    renews: undefined,
    nextRow: 0,
    index: "",
    deletedAt,
    token: undefined,
    given,
    generated,
  };
  const record = recordDifference(entry.head, head);
  const liveBefore = liveStateOf(change.before?.state);
  const indexBefore = liveBefore === undefined ? entry.remains.entry : indexEntryText(liveBefore);
  const write: CommitWrite = {
    ...common(context, change, change.before),
    isLive: false,
    revision,
    sessionExpiry: "keep",
    recordExpiry: expiryAt(deletedAt + LIMITS.TOMBSTONE_MS),
    entry: indexBefore === "" ? undefined : "",
    clearsTurns: undefined,
    isNewLife: false,
    staged: undefined,
    sets: setChanges(context.keys.partition, entry, liveBefore, { deletedAt }),
    recordFields: record.fields,
    recordGone: record.gone,
    sessionFields: [],
    sessionGone: [],
    ids: [],
    dropped: [],
    turns: [],
  };
  const now = Math.max(entry.now, deletedAt);
  return { write, after: { ...entry, now, head, content: undefined, remains: NO_REMAINS }, written: [] };
}

/** What every write has. */
function common(
  { entry, assumed }: WriteContext,
  { after, at }: StateChange,
  before: LoadedSession | undefined,
): Pick<
  CommitWrite,
  "expected" | "isFed" | "clearsCommits" | "commits" | "generated" | "absentOfRecord" | "absentOfSession"
> {
  const { head, content, remains } = entry;
  const given = memoryChangesOf(after.commits.given);
  const generated = memoryChangesOf(after.commits.generated);
  const ids = (prefix: string, set: ReadonlySet<string> | undefined): readonly string[] =>
    [...(set ?? [])].map((id) => prefix + id);
  return {
    expected: {
      version: head?.version ?? "",
      revision: head?.revision,
      isLive: content !== undefined,
      entry: remains.entry,
      isIndexed: remains.isIndexed,
      at: assumed === undefined ? undefined : at,
    },
    isFed: before?.state.revision !== after.revision || before.state.status !== after.status,
    clearsCommits: given.source === undefined ? given.horizon : undefined,
    commits: given.added.map((commit): MemoryEntry => [commit.id, commit.at, givenText(commit)]),
    generated: generated.added.map((commit): MemoryEntry => [commit.id, commit.at, generatedText(commit)]),
    absentOfRecord: ids(FIELDS.COMMIT, assumed?.commits),
    absentOfSession: [...ids(FIELDS.ID, assumed?.messages), ...ids(FIELDS.TURN, assumed?.turns)],
  };
}

function engineChange({ entry, cache, rows, staged }: WriteContext, change: StateChange): SessionChange {
  const life = entry.head?.life ?? "";
  return {
    before: change.before,
    ops: change.ops,
    rows,
    rowOf: (message: Message) => cache.rowOf(life, message),
    firstRow: 0,
    staged: staged?.messages,
    now: change.at,
  };
}

function liveStateOf(state: SessionState | undefined): LiveState | undefined {
  return state?.status === "live" ? state : undefined;
}

/** The last time that Redis takes for an expiry, and JavaScript for a date. */
const END_OF_TIME = 8.64e15;

/** Redis counts in whole milliseconds, which callers need not, and still shows a key in the very millisecond in which it ends. */
function expiryAt(time: number): Expiry {
  return time >= END_OF_TIME ? "never" : Math.max(1, Math.ceil(time) - 1);
}

/** The scripts may have forgotten some: that is known when the session is read again. */
function memoriesAfter(
  head: SessionHead | undefined,
  { given, generated }: SessionState["commits"],
): Pick<SessionHead, "given" | "generated"> {
  const none = memoryCounts(0, 0, 0);
  const grown = (counts = none, added: number, horizon: number): SessionHead["given"] => ({
    ...counts,
    next: counts.next + added,
    stored: counts.stored + added,
    horizon,
  });
  return {
    given: grown(head?.given, memoryChangesOf(given).added.length, given.horizon),
    generated: grown(head?.generated, memoryChangesOf(generated).added.length, generated.horizon),
  };
}

/** The fields of a record that are other ones than before, and those that go. */
function recordDifference(
  before: SessionHead | undefined,
  after: SessionHead,
): { readonly fields: readonly Pair[]; readonly gone: readonly string[] } {
  const old = before === undefined ? new Map<string, string | number | undefined>() : recordOf(before);
  const fields: Pair[] = [];
  const gone: string[] = [];
  for (const [name, value] of recordOf(after)) {
    if (value === old.get(name)) continue;
    if (value === undefined) gone.push(name);
    else fields.push([name, value]);
  }
  return { fields, gone };
}

function recordOf(head: SessionHead): ReadonlyMap<string, string | number | undefined> {
  return new Map<string, string | number | undefined>([
    [FIELDS.REVISION, head.revision],
    [FIELDS.VERSION, head.version],
    [FIELDS.LIFE, head.life],
    [FIELDS.CREATED, head.createdAt],
    [FIELDS.UPDATED, head.updatedAt],
    [FIELDS.EXPIRES, head.expiresAt],
    [FIELDS.RENEWS, head.renews],
    [FIELDS.NEXT, head.nextRow],
    [FIELDS.TOKEN, head.token],
    [FIELDS.INDEX, head.index === "" ? undefined : head.index],
    [FIELDS.DELETED, head.deletedAt],
  ]);
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
