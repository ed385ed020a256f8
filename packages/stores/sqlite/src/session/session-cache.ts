import type { LiveState } from "@sessions/protocol/backend";
import { layersOf } from "@sessions/protocol/backend";
import { newerFormat } from "../error-mapping.js";
import type { MessageRows } from "./message-rows.js";
import { SCHEMA_VERSION } from "../engine/migrations/migrations.js";
import { placeOf } from "./sort-key.js";
import { requireComplete } from "./check-complete.js";
import { logsIn } from "./row-number.js";
import { RowSource } from "../row-source.js";
import type { SearchIndex } from "../search/search-index.js";
import type { SessionReader } from "./session-row.js";
import type { SessionRow, Statements } from "../engine/statements.js";
import type { StoredSession } from "../stored-session.js";

/** How many sessions are kept in memory. They are small: messages have a cache of their own. */
const KEPT = 2000;

interface Known {
  readonly session: StoredSession;
  /** Where nobody else has written since, it is as it was. */
  readonly dataVersion: number;
  /** Whether it was found to be all there. Lists do without: they would take twice as long. */
  readonly isComplete: boolean;
}

/** The sessions of a database, as a transaction sees them. */
export class Sessions {
  readonly #statements: Statements;
  readonly #reader: SessionReader;
  readonly #rows: MessageRows;
  readonly #search: SearchIndex;
  readonly #known = new Map<string, Known>();
  /** The one that is at the end of them. */
  #last: string | undefined;
  /** Until which row logs are shared with forks that this store has made. */
  readonly shares: Map<number, number> = new Map();
  #dataVersion = -1;
  #lastChange: number | undefined;

  constructor(statements: Statements, reader: SessionReader, rows: MessageRows, search: SearchIndex) {
    this.#statements = statements;
    this.#search = search;
    this.#reader = reader;
    this.#rows = rows;
  }

  /** Must be called first in every transaction: finds out whether others have written. */
  begin(): void {
    const dataVersion = this.#statements.dataVersion.get() ?? 0;
    if (dataVersion === this.#dataVersion) return;
    const version = this.#statements.userVersion.get() ?? 0;
    if (version > SCHEMA_VERSION) throw newerFormat(version);
    this.#dataVersion = dataVersion;
    this.#search.refresh();
    this.shares.clear(); // every session is read again, and says so itself
    this.#lastChange = undefined;
  }

  /** What others have written since is not known any more: for tests of what a restart would see, and after failures. */
  forgetAll(): void {
    this.#known.clear();
    this.#dataVersion = -1;
  }

  /** A session that need not be read: nobody else has written since it was. */
  current(id: string): StoredSession | undefined {
    const known = this.#known.get(id);
    return known?.dataVersion === this.#dataVersion && known.isComplete ? known.session : undefined;
  }

  get(id: string): StoredSession | undefined {
    const current = this.current(id);
    if (current !== undefined) return current;
    const row = this.#statements.session.get(placeOf(id));
    if (row !== undefined) return this.#complete(id, row);
    this.#known.delete(id);
    return undefined;
  }

  /** A session of which rows may be gone, to save what is left. It is not kept. */
  remains(id: string): StoredSession | undefined {
    const row = this.#statements.session.get(placeOf(id));
    if (row === undefined) return undefined;
    const session = this.#fresh(id, row, undefined, false);
    this.forget(id);
    return session;
  }

  /** Throws `Damage` if rows of the session are gone. */
  requireComplete(id: string): void {
    const row = this.#statements.session.get(placeOf(id));
    if (row !== undefined) requireComplete(this.#statements, row);
  }

  /** From a row that was read in this transaction. */
  of(row: SessionRow): StoredSession {
    const known = this.#known.get(row.id);
    if (known?.dataVersion === this.#dataVersion) return known.session;
    return this.#fresh(row.id, row, known?.session, known?.isComplete ?? false);
  }

  #complete(id: string, row: SessionRow): StoredSession {
    const known = this.#known.get(id);
    const session = this.#fresh(id, row, known?.session, true);
    if (known?.isComplete === true) return session;
    this.#known.delete(id); // until it is known to be all there
    requireComplete(this.#statements, row);
    this.put(session);
    return session;
  }

  /** What this store itself has committed. */
  put(session: StoredSession, isComplete = true): void {
    const { id } = session;
    if (this.#last !== id) this.#known.delete(id); // to the end: it was used last
    this.#last = id;
    this.#known.set(id, { session, dataVersion: this.#dataVersion, isComplete });
    if (this.#known.size > KEPT) this.#leaveOldest();
  }

  forget(id: string): void {
    this.#known.delete(id);
  }

  /** The number of the next change. Only for writers. */
  nextChange(): number {
    this.#lastChange ??= this.#statements.lastChange.get() ?? 0;
    this.#lastChange++;
    return this.#lastChange;
  }

  /** After a transaction that was not committed. */
  rolledBack(): void {
    this.#lastChange = undefined;
  }

  /** Its messages are not kept without it. */
  #leaveOldest(): void {
    const [oldest] = this.#known;
    if (oldest === undefined) return;
    const [id, { session }] = oldest;
    const { state } = session;
    this.#known.delete(id);
    if (state.status === "live") for (const log of logsOf(state)) this.#rows.cache.drop(log);
  }

  #fresh(id: string, row: SessionRow, known: StoredSession | undefined, isComplete: boolean): StoredSession {
    const unchanged = known !== undefined && known.key === row.key && known.version === row.version;
    const session = this.#reader.read(row, known);
    this.#validateLogs(session, unchanged);
    this.put({ ...session, id }, isComplete);
    return session;
  }

  /** Rows of these logs that are in memory must be as they are in the database. */
  #validateLogs({ state, log }: StoredSession, unchanged: boolean): void {
    if (state.status !== "live" || log === undefined) return;
    this.#rows.cache.validate(log.id, log.layout, unchanged);
    for (const other of logsOf(state)) {
      if (other === log.id) continue;
      // Whose log it is may have gone on with a draft until this session came to share it.
      this.#rows.cache.validate(other, this.#statements.log.get(other)?.layout ?? -1, false);
    }
  }
}

/** The logs whose rows a session uses. */
function logsOf({ history, snapshots }: LiveState): ReadonlySet<number> {
  const logs = new Set<number>();
  for (const one of [history, ...snapshots.map((snapshot) => snapshot.history)]) {
    const { source } = layersOf(one);
    if (source instanceof RowSource) for (const log of logsIn(source.runs)) logs.add(log);
  }
  return logs;
}
