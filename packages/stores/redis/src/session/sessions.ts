import {
  Damage,
  type LiveState,
  type LoopShare,
  SessionError,
  type SessionState,
  stateAt,
} from "@sessions/protocol/backend";
import { ReadRequired, Runs, type StoredMessage } from "@sessions/row-engine";
import type { Deadline } from "../engine/deadline.js";
import { type DraftExtensions, type Hold, type LoadRequest, NOTHING_MORE, UNREAD } from "./load-request.js";
import { type AssumedAbsences, RedisSessionRows } from "./redis-session-rows.js";
import { loadEntry, type SessionEntry } from "./session-entry.js";
import { type LoaderContext, SessionLoader } from "./session-loader.js";
import { type Lookups, mergedLookups, NO_LOOKUPS, type Wanted } from "./wanted.js";

/** So many rows are read at once: the server does nothing else meanwhile. */
const ROWS_AT_ONCE = 500;
/** More ids are looked up when it turns out that they are needed. */
const IDS_AT_ONCE = 1000;
/** A reading in more steps than this asks writers to wait, for so long. */
const MAX_STEPS_UNHELD = 4;
const HOLD_MS = 100;

interface SessionsContext extends LoaderContext {
  readonly instanceId: string;
  readonly share: LoopShare;
}

/** What the first reading of a session brings along. */
export interface FirstRead extends Wanted {
  /** How many of the last rows. */
  readonly tail?: number | undefined;
  readonly hold?: Hold | undefined;
  /** Not for a caller: a DATA_LOST that is met stays to be reported to one. */
  readonly background?: boolean | undefined;
}

/** A session as it was read, with the rows to load its state with. */
export interface ReadSession {
  readonly entry: SessionEntry;
  readonly rows: RedisSessionRows;
}

/** What a list learns of a session: its state, or that it is gone, or why it cannot be read. */
export type SummaryState = { readonly state: LiveState } | { readonly error: Error } | undefined;

/** Reads sessions. */
export class Sessions {
  readonly #context: SessionsContext;
  readonly #loader: SessionLoader;

  constructor(context: SessionsContext) {
    this.#context = context;
    this.#loader = new SessionLoader(context);
  }

  /**
   * Reads a session and uses it. What turns out to be missing is read too, and it is used anew: so the result is of one moment, that
   * of the last reading.
   */
  async read<Result>(
    id: string,
    first: FirstRead,
    deadline: Deadline,
    use: (session: ReadSession) => Result,
  ): Promise<Result> {
    const unpin = this.#context.cache.rows.pin();
    try {
      return await this.#readPinned(id, first, deadline, use);
    } finally {
      unpin();
    }
  }

  /** The state of a session, without its messages. */
  async state(
    id: string,
    options: { readonly background?: boolean },
    deadline: Deadline,
  ): Promise<{ readonly state: SessionState | undefined; readonly now: number }> {
    return this.read(id, options, deadline, ({ entry, rows }) => ({
      state: loadEntry(entry, rows)?.state,
      now: entry.now,
    }));
  }

  /** The rows to load a state with, of a session that was read before. */
  rowsOf(entry: SessionEntry, lookups: Lookups = NO_LOOKUPS, assumed?: AssumedAbsences): RedisSessionRows {
    const { id, head, content } = entry;
    return new RedisSessionRows({
      id,
      life: head?.life ?? "",
      cache: this.#context.cache.rows,
      drafts: content?.drafts ?? NO_DRAFTS,
      lookups,
      assumed,
    });
  }

  /** One call of load.lua, beside what is cached: for lists. */
  async loadUncached(id: string, parts: "all" | "few", deadline: Deadline): Promise<ReadSession> {
    const request = { ...NOTHING_MORE, ...UNREAD, parts };
    const { entry } = await this.#loader.load(id, request, undefined, { background: true }, deadline);
    return { entry, rows: this.rowsOf(entry) };
  }

  /** The states of sessions for a list, all of them asked for at once. Without `metadata` theirs is not read. */
  async summaries(
    ids: readonly string[],
    { metadata }: { readonly metadata: boolean },
    deadline: Deadline,
  ): Promise<ReadonlyMap<string, SummaryState>> {
    const parts = metadata ? "all" : "few";
    const entries = await this.#loader.summaries(ids, parts, deadline);
    const states = await Promise.all(ids.map((id) => this.#summary(id, entries.get(id), parts, deadline)));
    return new Map(ids.map((id, index) => [id, states[index]]));
  }

  /** Damage is that of one session: lists go on without it. */
  async #summary(
    id: string,
    read: SessionEntry | undefined,
    parts: "all" | "few",
    deadline: Deadline,
  ): Promise<SummaryState> {
    try {
      const { entry, rows } =
        read === undefined
          ? await this.loadUncached(id, parts, deadline)
          : { entry: read, rows: this.rowsOf(read) };
      const state = stateAt(loadEntry(entry, rows)?.state, entry.now);
      return state?.status === "live" ? { state } : undefined;
    } catch (error) {
      const isOfSession = SessionError.is(error, "SESSION_CORRUPTED") || isLostSession(error, id);
      if (error instanceof Damage || isOfSession) return { error };
      throw error;
    }
  }

  async #readPinned<Result>(
    id: string,
    first: FirstRead,
    deadline: Deadline,
    use: (session: ReadSession) => Result,
  ): Promise<Result> {
    const { instanceId } = this.#context;
    let lookups = NO_LOOKUPS;
    let wanted: Wanted = { ...first, ids: first.ids?.slice(0, IDS_AT_ONCE) };
    let entry: SessionEntry | undefined;
    for (let step = 1; ; step++) {
      const hold = first.hold ?? (step > MAX_STEPS_UNHELD ? { instanceId, ms: HOLD_MS } : undefined);
      const tail = step === 1 ? first.tail : undefined;
      const manner = { hold, tail, background: first.background };
      const loaded = await this.#load(id, entry, wanted, manner, step === 1 ? deadline : deadline.again());
      lookups = isSame(entry, loaded.entry) ? mergedLookups(lookups, loaded.lookups) : loaded.lookups;
      entry = loaded.entry;
      try {
        return use({ entry, rows: this.rowsOf(entry, lookups) });
      } catch (error) {
        if (!(error instanceof ReadRequired)) throw error;
        wanted = this.#withNext(error.wanted, first.ids ?? [], entry, lookups);
      }
    }
  }

  /** What is wanted of a session, page by page if it is much. All but what the last call read are rows, which do not change. */
  async #load(
    id: string,
    before: SessionEntry | undefined,
    wanted: Wanted,
    manner: Pick<FirstRead, "hold" | "background" | "tail">,
    deadline: Deadline,
  ): Promise<{ readonly entry: SessionEntry; readonly lookups: Lookups }> {
    const known = before ?? this.#context.cache.getAppended(id);
    const missing = this.#missing(known, wanted.rows ?? Runs.EMPTY);
    let last = known;
    let read = 0;
    while (missing.length - read > ROWS_AT_ONCE) {
      const request = requestOf(last, {}, missing.slice(read, read + ROWS_AT_ONCE), {});
      const loaded = await this.#loader.load(id, request, last, manner, deadline.again());
      if (loaded.entry.head?.life !== last?.head?.life) return loaded; // another session by now: it is used anew
      last = loaded.entry;
      read += loaded.answered;
      await this.#context.share.continue();
    }
    const rows = missing.slice(read);
    return this.#loader.load(id, requestOf(last, wanted, rows, manner), last, manner, deadline);
  }

  /** Where an id or the row of one is missing, those of the next ids are read along: they will be needed, too. */
  #withNext(wanted: Wanted, likely: readonly string[], entry: SessionEntry, { ids: known }: Lookups): Wanted {
    if (wanted.ids !== undefined) {
      const next = likely.filter((id) => !known.has(id)).slice(0, IDS_AT_ONCE);
      return { ...wanted, ids: [...new Set([...wanted.ids, ...next])] };
    }
    if (wanted.rows === undefined || likely.length === 0) return wanted;
    const listed = likely.flatMap((id) => known.get(id) ?? []).map((row) => ({ from: row, to: row + 1 }));
    const rows = this.#missing(entry, new Runs(listed)).slice(0, ROWS_AT_ONCE);
    const runs = rows.map((row) => ({ from: row, to: row + 1 }));
    return { ...wanted, rows: new Runs([...wanted.rows.list, ...runs]) };
  }

  #missing(entry: SessionEntry | undefined, runs: Runs): readonly number[] {
    const { cache } = this.#context;
    const { head, content } = entry ?? {};
    const isKnown = (row: number): boolean =>
      head !== undefined && (cache.rows.get(head.life, row) ?? content?.drafts.get(row)) !== undefined;
    return [...new Set(runs.rows())].filter((row) => !isKnown(row));
  }
}

const NO_DRAFTS: ReadonlyMap<number, StoredMessage> = new Map();

/** Whether nothing has changed from one reading to the next. */
function isSame(a: SessionEntry | undefined, b: SessionEntry): boolean {
  return a?.head?.version === b.head?.version && a?.head?.revision === b.head?.revision;
}

/** What is asked for beside what is known. */
function requestOf(
  known: SessionEntry | undefined,
  { ids = [], commits = [], turns = [], allCommits, allTurns }: Wanted,
  rows: readonly number[],
  { hold, tail = 0 }: Pick<FirstRead, "hold" | "tail">,
): LoadRequest {
  const { head, content } = known ?? {};
  const isKnown = head !== undefined && content !== undefined;
  const extensions = rows.flatMap((row): readonly DraftExtensions[] => {
    const count = content?.hot.drafts.get(row) ?? 0;
    return count === 0 ? [] : [{ row, count }];
  });
  return {
    ...NOTHING_MORE,
    ...(isKnown ? { version: head.version, revision: head.revision, tailFrom: head.nextRow } : UNREAD),
    tail,
    hold,
    rows,
    extensions,
    ids,
    commits,
    turns,
    allCommits: allCommits === true,
    allTurns: allTurns === true,
  };
}

/** Whether this session was lost, and not a part of the index. */
function isLostSession(error: unknown, id: string): error is Error {
  return SessionError.is(error, "DATA_LOST") && error.sessionId === id;
}
