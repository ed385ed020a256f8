import {
  type Change,
  ChangeFeed,
  decodeCursor,
  encodeCursor,
  SessionError,
  type WatchTarget,
} from "@sessions/protocol/backend";
import type Database from "better-sqlite3";
import { preparedStatement } from "../engine/prepared-statement.js";
import { blockOf, SESSION_COLUMNS, type SessionRow } from "../engine/tables/sessions-table.js";
import { requireChecksum } from "../session/session-row.js";
import { sortKeyOf } from "../session/sort-key.js";

/** How often a store with watchers looks whether other processes have written. */
const POLL_MS = 20;

type ChangedRow = Pick<SessionRow, "id" | "revision" | "updated_at" | "expires_at" | "deleted_at" | "change">;

interface FeedContext {
  readonly db: Database.Database;
  readonly now: () => number;
  /** Turns sessions that have expired into tombstones. */
  readonly endExpired: () => Promise<void>;
  readonly lastChange: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** Feeds changes to watchers, in the order of their commits: those of this store at once, those of others after a poll. */
export class Feed {
  readonly #context: FeedContext;
  readonly #feed = new ChangeFeed();
  readonly #storeId: string;
  readonly #changed: Database.Statement<[block: number, change: number], ChangedRow>;
  readonly #one: Database.Statement<[Buffer], SessionRow>;
  readonly #soonestExpiry: Database.Statement<[], number | null>;
  readonly #dataVersion: Database.Statement<[], number>;
  #watchers = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastPublished = 0;
  #lastDataVersion = 0;
  #nextExpiry = Number.POSITIVE_INFINITY;
  #isEndingExpired = false;

  constructor(context: FeedContext) {
    const { db } = context;
    this.#context = context;
    this.#changed = preparedStatement(
      db,
      `SELECT id, revision, updated_at, expires_at, deleted_at, change FROM sessions
        WHERE change_block >= ? AND change > ? ORDER BY change`,
    );
    this.#one = preparedStatement(db, `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.sort_key = ?`);
    this.#soonestExpiry = preparedStatement<[], number | null>(
      db,
      "SELECT min(expires_at) FROM sessions WHERE expires_at IS NOT NULL",
    ).pluck();
    this.#dataVersion = preparedStatement<[], number>(db, "PRAGMA data_version").pluck();
    this.#storeId = String(db.prepare("SELECT value FROM store WHERE name = 'id'").pluck().get());
  }

  async *watch(target: WatchTarget, signal: AbortSignal): AsyncGenerator<Change> {
    this.#begin();
    try {
      yield* this.#feed.watch(target, signal, () => this.#missed(target));
    } finally {
      this.#end();
    }
  }

  /** Publishes what was committed since the last time. Never fails: the commits are made. */
  publish(): void {
    if (this.#watchers === 0) return;
    try {
      this.#publish();
    } catch (error) {
      this.#context.onFailure(error);
      this.#lastDataVersion = -1; // the next poll tries again
    }
  }

  #publish(): void {
    for (const row of this.#changedSince(this.#lastPublished)) {
      this.#lastPublished = row.change;
      this.#feed.publish(this.#changeOf(row));
    }
    this.#nextExpiry = this.#soonestExpiry.get() ?? Number.POSITIVE_INFINITY;
  }

  #changedSince(change: number): readonly ChangedRow[] {
    return this.#changed.all(blockOf(change), change);
  }

  #begin(): void {
    this.#watchers++;
    if (this.#watchers > 1) return;
    this.#lastDataVersion = this.#dataVersion.get() ?? 0;
    this.#lastPublished = this.#context.lastChange();
    this.#nextExpiry = this.#soonestExpiry.get() ?? Number.POSITIVE_INFINITY;
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
  }

  /** Stops polling: a turn that was never ended still watches after its store is closed. */
  close(): void {
    clearInterval(this.#timer);
  }

  #end(): void {
    this.#watchers--;
    if (this.#watchers === 0) clearInterval(this.#timer);
  }

  #poll(): void {
    try {
      const version = this.#dataVersion.get() ?? 0;
      if (version !== this.#lastDataVersion) this.#publish();
      this.#lastDataVersion = version;
      if (this.#nextExpiry <= this.#context.now()) this.#endExpired();
    } catch (error) {
      this.#context.onFailure(error); // the next poll tries again
    }
  }

  #endExpired(): void {
    if (this.#isEndingExpired) return;
    this.#isEndingExpired = true;
    this.#context
      .endExpired()
      .then(() => this.publish())
      .catch((error: unknown) => this.#context.onFailure(error))
      .finally(() => {
        this.#isEndingExpired = false;
      });
  }

  /** The last change of each session after the point that the watcher knows of. */
  #missed({ session, since }: WatchTarget): readonly Change[] {
    if (typeof since === "string")
      return this.#changedSince(this.#readCursor(since)).map((row) => this.#changeOf(row));
    const row = session === undefined ? undefined : this.#one.get(sortKeyOf(session));
    if (row !== undefined) requireChecksum(row);
    if (since === undefined) return [];
    const change = row === undefined ? undefined : this.#changeOf(row);
    return change !== undefined && change.revision > since ? [change] : [];
  }

  #changeOf({ id, revision, updated_at, expires_at, deleted_at, change }: ChangedRow): Change {
    const cursor = encodeCursor({ store: this.#storeId, change });
    const session = { sessionId: id, cursor };
    if (deleted_at !== null) return { ...session, revision, at: deleted_at, deleted: true };
    // It has expired, and is no tombstone yet.
    if (expires_at !== null && expires_at <= this.#context.now())
      return { ...session, revision: revision + 1, at: expires_at, deleted: true };
    return { ...session, revision, at: updated_at };
  }

  /** The last change that was seen. A cursor of another store, or of a newer state of this one: all changes are new. */
  #readCursor(cursor: string): number {
    const value: unknown = decodeCursor(cursor, "target.since");
    if (isCursor(value)) {
      const isOwn = value.store === this.#storeId && value.change <= this.#context.lastChange();
      return isOwn ? value.change : 0;
    }
    throw SessionError.of("INVALID_ARGUMENT", "target.since is not the cursor of a change of this store.", {
      path: "target.since",
    });
  }
}

function isCursor(value: unknown): value is { readonly store: string; readonly change: number } {
  if (typeof value !== "object" || value === null || !("store" in value && "change" in value)) return false;
  return typeof value.store === "string" && Number.isSafeInteger(value.change);
}
