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
import type { Partitions } from "../engine/partitions.js";
import { listOf, numberOf, textsOf } from "../engine/reply.js";
import { LOAD } from "../engine/scripts.js";
import type { Server } from "../engine/server.js";
import { asSessionError } from "../error-mapping.js";
import type { Keys } from "../keys/keys.js";
import type { Acknowledgements } from "./acknowledgements.js";
import { formatIn, type Loaded, readLoaded, requireFormat } from "./load-reply.js";
import {
  type DraftExtensions,
  type Hold,
  type LoadRequest,
  loadArguments,
  NOTHING_MORE,
} from "./load-request.js";
import { type AssumedAbsences, RedisSessionRows } from "./redis-session-rows.js";
import type { SessionCache } from "./session-cache.js";
import { loadEntry, type SessionEntry } from "./session-entry.js";
import { type Lookups, mergedLookups, NO_LOOKUPS, type Wanted } from "./wanted.js";

/** So many rows are read at once: the server does nothing else meanwhile. */
const ROWS_AT_ONCE = 500;
/** More ids are looked up when it turns out that they are needed. */
const IDS_AT_ONCE = 1000;
/** A reading in more steps than this asks writers to wait, for so long. */
const MAX_STEPS_UNHELD = 4;
const HOLD_MS = 100;

interface SessionsContext {
  readonly server: Server;
  readonly keys: Keys;
  readonly cache: SessionCache;
  readonly partitions: Partitions;
  readonly acknowledgements: Acknowledgements;
  readonly instanceId: string;
  readonly location: string;
  readonly monotonic: () => number;
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

  constructor(context: SessionsContext) {
    this.#context = context;
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
    const request = { ...NOTHING_MORE, version: "", tailFrom: 0, parts };
    const { entry } = await this.#call(id, request, undefined, { background: true }, deadline);
    return { entry, rows: this.rowsOf(entry) };
  }

  /** The states of sessions for a list, all of them asked for at once. Without `metadata` theirs is not read. */
  async summaries(
    ids: readonly string[],
    { metadata }: { readonly metadata: boolean },
    deadline: Deadline,
  ): Promise<ReadonlyMap<string, SummaryState>> {
    const parts = metadata ? "all" : "few";
    const states = await Promise.all(ids.map((id) => this.#summary(id, parts, deadline)));
    return new Map(ids.map((id, index) => [id, states[index]]));
  }

  /** Damage is that of one session: lists go on without it. */
  async #summary(id: string, parts: "all" | "few", deadline: Deadline): Promise<SummaryState> {
    try {
      const { entry, rows } = await this.loadUncached(id, parts, deadline);
      const state = stateAt(loadEntry(entry, rows)?.state, entry.now);
      return state?.status === "live" ? { state } : undefined;
    } catch (error) {
      if (error instanceof Damage || SessionError.is(error, "SESSION_CORRUPTED")) return { error };
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
    const known = before ?? this.#context.cache.get(id);
    const missing = this.#missing(known, wanted.rows ?? Runs.EMPTY);
    let last = known;
    let read = 0;
    while (missing.length - read > ROWS_AT_ONCE) {
      const request = requestOf(last, {}, missing.slice(read, read + ROWS_AT_ONCE), {});
      const loaded = await this.#call(id, request, last, manner, deadline.again());
      if (loaded.entry.head?.life !== last?.head?.life) return loaded; // another session by now: it is used anew
      last = loaded.entry;
      read += loaded.answered;
      await this.#context.share.continue();
    }
    const rows = missing.slice(read);
    const loaded = await this.#call(id, requestOf(last, wanted, rows, manner), last, manner, deadline);
    return this.#withMemories(id, loaded, manner, deadline);
  }

  /** The rest of what is remembered, if all of it is wanted and one call did not bring it. */
  async #withMemories(
    id: string,
    first: Loaded,
    manner: Pick<FirstRead, "background">,
    deadline: Deadline,
  ): Promise<Loaded> {
    let loaded = first;
    while (loaded.moreCommitsFrom !== undefined || loaded.moreTurnsFrom !== undefined) {
      const { entry, lookups, moreCommitsFrom: commitsFrom, moreTurnsFrom: turnsFrom } = loaded;
      const request = { ...requestOf(entry, {}, [], {}), commitsFrom, turnsFrom };
      const next = await this.#call(id, request, entry, manner, deadline);
      if (!isSame(entry, next.entry)) return next; // used anew: what is wanted then is asked for again
      const { allCommits, allTurns } = next.lookups;
      loaded = {
        ...next,
        lookups: {
          ...lookups,
          allCommits: lookups.allCommits && [...lookups.allCommits, ...(allCommits ?? [])],
          allTurns: lookups.allTurns && [...lookups.allTurns, ...(allTurns ?? [])],
        },
      };
    }
    return loaded;
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

  /** One call of load.lua. What it has read is cached. */
  async #call(
    id: string,
    request: LoadRequest,
    known: SessionEntry | undefined,
    { background }: Pick<FirstRead, "background">,
    deadline: Deadline,
  ): Promise<Loaded> {
    const { server, keys, acknowledgements, partitions, monotonic, location } = this.#context;
    const { record, session, partition, member } = keys.session(id);
    const { head, entries, ids, ends } = partition;
    const expected = acknowledgements.last(id);
    const { epoch } = server;
    const proves = expected !== undefined && !acknowledgements.isVerifiedOn(id, epoch);
    const asked = proves ? { ...request, commits: [...request.commits, expected.commitId] } : request;
    const askedAt = monotonic();
    let reply: unknown;
    try {
      const names = [record, session, head, entries, ids, ends];
      reply = await server.runRetryable(LOAD, names, loadArguments(member, asked), deadline);
    } catch (error) {
      throw asSessionError(error, location, id);
    }
    // Answered on another connection: what was known counts no more, and what was acknowledged has to be shown.
    if (server.epoch !== epoch)
      return this.#call(id, { ...request, version: "", tailFrom: 0 }, undefined, { background }, deadline);
    const format = formatIn(reply);
    if (format === undefined) {
      await partitions.restore(deadline);
      return this.#call(id, request, known, { background }, deadline);
    }
    requireFormat(format); // first: what a newer version wrote may look like damage
    if (expected !== undefined)
      acknowledgements.compare(id, expected, { ...shown(reply, proves), epoch }, background === true);
    const loaded = readLoaded(reply, { id, request: asked, askedAt, known });
    // Rows go only with a commit, which makes a new version.
    const [lost] = loaded.entry.head?.version === known?.head?.version ? loaded.missing : [];
    if (lost !== undefined) throw new Damage(`row ${lost} of session ${id}`, "is not there");
    return this.#cached(loaded, request);
  }

  #cached(loaded: Loaded, { parts }: LoadRequest): Loaded {
    const { cache } = this.#context;
    const { entry, rows } = loaded;
    const { head, content } = entry;
    if (head === undefined || content === undefined) {
      cache.put(entry);
      return loaded;
    }
    const drafts = new Map(content.drafts);
    for (const { row, stored, size } of rows)
      if (stored.message.status === "partial") drafts.set(row, stored);
      else cache.putRow(head.life, row, stored, size);
    const grown = { ...entry, content: { ...content, drafts } };
    if (parts === "all") cache.put(grown);
    return { ...loaded, entry: grown };
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
    version: isKnown ? head.version : "",
    tailFrom: isKnown ? head.nextRow : 0,
    tail,
    hold,
    rows,
    extensions,
    ids,
    commits,
    turns,
    commitsFrom: allCommits === true ? 0 : undefined,
    turnsFrom: allTurns === true ? 0 : undefined,
  };
}

/** The revision that the server has, and whether it remembers the commit that was asked for last. */
function shown(
  reply: unknown,
  proves: boolean,
): { readonly revision: number; readonly remembers: boolean | undefined } {
  const [, , record, , , , , , , , , commits] = listOf(reply);
  const remembers = proves ? textsOf(commits).at(-1) !== undefined : undefined;
  return { revision: numberOf(listOf(record)[0]) ?? 0, remembers };
}
