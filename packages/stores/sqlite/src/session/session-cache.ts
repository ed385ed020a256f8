import type { StoredLive } from "@sessions/row-engine";
import type { SessionRow } from "../engine/tables/sessions-table.js";
import type { Tables } from "../engine/tables/tables.js";
import type { CompletenessCheck } from "./check-complete.js";
import { type SessionEntry, sessionEntry } from "./session-entry.js";
import { partsOf, storedSessionOf } from "./session-row.js";
import { sortKeyOf } from "./sort-key.js";
import type { RowTables } from "./sqlite-session-rows.js";

/** Sessions are small: their messages have a cache of their own. */
const MAX_CACHED_SESSIONS = 2000;

interface Cached {
  readonly entry: SessionEntry;
  /** SQLite's `data_version` when it was read: while that is the same, no other connection has written. */
  readonly dataVersion: number;
  /** Whether all of its rows were found to be there. Lists do without that check, which would double their time. */
  readonly isComplete: boolean;
}

/** The sessions of a database, as the transaction that runs sees them. */
export class SessionCache {
  readonly #tables: Tables;
  readonly #rows: RowTables;
  readonly #check: CompletenessCheck;
  readonly #cached = new Map<string, Cached>();
  #lastUsed: string | undefined;
  #dataVersion = -1;
  #lastChange: number | undefined;

  constructor(tables: Tables, rows: RowTables, check: CompletenessCheck) {
    this.#tables = tables;
    this.#rows = rows;
    this.#check = check;
  }

  /** Must be called first in every transaction. `false` if another connection has written since the last one. */
  begin(dataVersion: number): boolean {
    if (dataVersion === this.#dataVersion) return true;
    this.#dataVersion = dataVersion;
    this.#lastChange = undefined;
    return false;
  }

  /** Reads everything again. */
  clear(): void {
    this.#cached.clear();
    this.#dataVersion = -1;
  }

  get(id: string): SessionEntry | undefined {
    const cached = this.#cached.get(id);
    if (cached?.dataVersion === this.#dataVersion && cached.isComplete) return cached.entry;
    const row = this.#tables.sessions.get(sortKeyOf(id));
    if (row === undefined) {
      this.#cached.delete(id);
      return undefined;
    }
    const entry = this.#read(row, cached?.entry);
    if (cached?.isComplete !== true) {
      this.forget(id); // until all of its rows are found
      this.#check.require(entry);
    }
    this.put(entry);
    return entry;
  }

  /** The session of a row that was read in this transaction. Rows of other tables may be missing. */
  of(row: SessionRow): SessionEntry {
    const cached = this.#cached.get(row.id);
    if (cached?.dataVersion === this.#dataVersion) return cached.entry;
    const entry = this.#read(row, cached?.entry);
    this.#put(entry, cached?.isComplete ?? false);
    return entry;
  }

  byKey(key: number): SessionEntry | undefined {
    const row = this.#tables.sessions.byKey(key);
    return row === undefined ? undefined : this.of(row);
  }

  /** Reads a session from the table and does not cache it. Rows of other tables may be missing. */
  readUncached(id: string): SessionEntry | undefined {
    const row = this.#tables.sessions.get(sortKeyOf(id));
    return row === undefined ? undefined : this.#read(row, undefined);
  }

  /** Throws `Damage` if rows of the session are missing. */
  requireComplete(id: string): void {
    const entry = this.readUncached(id);
    if (entry !== undefined) this.#check.require(entry);
  }

  /** What this store has committed. */
  put(entry: SessionEntry): void {
    this.#put(entry, true);
  }

  forget(id: string): void {
    this.#cached.delete(id);
  }

  /** The number of the next change of the store. Only within a transaction that writes. */
  nextChange(): number {
    this.#lastChange ??= this.#tables.sessions.lastChange();
    this.#lastChange++;
    return this.#lastChange;
  }

  /** After a transaction that was not committed. */
  rolledBack(): void {
    this.#lastChange = undefined;
  }

  /** What has not changed since `before` is not read again. */
  #read(row: SessionRow, before: SessionEntry | undefined): SessionEntry {
    const isKnown = before !== undefined && before.key === row.key;
    if (isKnown && before.version === row.version) return before;
    const { key, id, version, parts_version: partsVersion, change, log } = row;
    const stored = storedSessionOf(row, () =>
      isKnown && before.partsVersion === partsVersion
        ? partsIn(before, () => this.#parts(key))
        : this.#parts(key),
    );
    return sessionEntry({ key, id, version, partsVersion, change, log }, stored, this.#rows);
  }

  #parts(key: number): StoredLive["parts"] {
    return partsOf(this.#tables.parts.all(key), key);
  }

  #put(entry: SessionEntry, isComplete: boolean): void {
    const { id } = entry;
    if (this.#lastUsed !== id) this.#cached.delete(id); // to the end: it was used last
    this.#lastUsed = id;
    this.#cached.set(id, { entry, dataVersion: this.#dataVersion, isComplete });
    if (this.#cached.size > MAX_CACHED_SESSIONS) this.#evictOldest();
  }

  /** Its messages are not cached without it. */
  #evictOldest(): void {
    const [oldest] = this.#cached;
    if (oldest === undefined) return;
    const [id, { entry }] = oldest;
    this.#cached.delete(id);
    for (const log of entry.logs) this.#rows.messages.cache.drop(log);
  }
}

function partsIn({ stored }: SessionEntry, read: () => StoredLive["parts"]): StoredLive["parts"] {
  return stored.status === "live" ? stored.parts : read();
}
