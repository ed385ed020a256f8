import {
  type Change,
  ChangeFeed,
  decodeCursor,
  encodeCursor,
  SessionError,
  type WatchTarget,
} from "@sessions/protocol/backend";
import type Database from "better-sqlite3";
import { placeOf } from "../session/sort-key.js";
import { rereadDamage } from "../engine/retry-damaged-read.js";
import { requireChecksum } from "../session/session-row.js";
import type { SessionRow } from "../engine/statements.js";
import { blockOf } from "../commit/write-session-row.js";

/** How often somebody who watches looks whether others have written. */
const LOOK_EVERY_MS = 20;

interface ChangedRow {
  readonly id: string;
  readonly revision: number;
  readonly updated_at: number;
  readonly expires_at: number | null;
  readonly deleted_at: number | null;
  readonly change: number;
}

interface FeedContext {
  readonly db: Database.Database;
  readonly now: () => number;
  /** Ends what has expired. */
  readonly bury: () => Promise<void>;
  readonly lastChange: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** Tells watchers of changes, in the order in which they were committed: this store's at once, others' soon after. */
export class Feed {
  readonly #context: FeedContext;
  readonly #feed = new ChangeFeed();
  readonly #storeId: string;
  readonly #changed: Database.Statement<[block: number, change: number], ChangedRow>;
  readonly #one: Database.Statement<[Buffer], ChangedRow & SessionRow>;
  readonly #soonest: Database.Statement<[], number | null>;
  readonly #dataVersion: Database.Statement<[], number>;
  #watchers = 0;
  #timer: NodeJS.Timeout | undefined;
  #told = 0;
  #seen = 0;
  #nextExpiry = Number.POSITIVE_INFINITY;
  #burying = false;

  constructor(context: FeedContext) {
    const { db } = context;
    const columns = "SELECT id, revision, updated_at, expires_at, deleted_at, change FROM sessions";
    this.#context = context;
    this.#changed = db.prepare(`${columns} WHERE change_block >= ? AND change > ? ORDER BY change`);
    this.#one = db.prepare("SELECT * FROM sessions WHERE place = ?");
    this.#soonest = db
      .prepare<[], number | null>("SELECT min(expires_at) FROM sessions WHERE expires_at IS NOT NULL")
      .pluck();
    this.#dataVersion = db.prepare<[], number>("PRAGMA data_version").pluck();
    for (const statement of [this.#changed, this.#one, this.#soonest, this.#dataVersion])
      rereadDamage(statement);
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

  /** Tells what was committed since it was last told. Never fails: what is told about is done. */
  tell(): void {
    if (this.#watchers === 0) return;
    try {
      this.#tell();
    } catch (error) {
      this.#context.onFailure(error); // looked for again with the next tick
      this.#seen = -1;
    }
  }

  #tell(): void {
    for (const row of this.#changedSince(this.#told)) {
      this.#told = row.change;
      this.#feed.publish(this.#changeOf(row));
    }
    this.#nextExpiry = this.#soonest.get() ?? Number.POSITIVE_INFINITY;
  }

  #changedSince(change: number): readonly ChangedRow[] {
    return this.#changed.all(blockOf(change), change);
  }

  #begin(): void {
    this.#watchers++;
    if (this.#watchers > 1) return;
    this.#seen = this.#dataVersion.get() ?? 0;
    this.#told = this.#context.lastChange();
    this.#nextExpiry = this.#soonest.get() ?? Number.POSITIVE_INFINITY;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  /** Stops looking: a turn that was never ended still watches after its store is closed. */
  close(): void {
    clearInterval(this.#timer);
  }

  #end(): void {
    this.#watchers--;
    if (this.#watchers === 0) clearInterval(this.#timer);
  }

  #look(): void {
    try {
      const version = this.#dataVersion.get() ?? 0;
      if (version !== this.#seen) this.#tell();
      this.#seen = version;
      if (this.#nextExpiry <= this.#context.now()) this.#bury();
    } catch (error) {
      this.#context.onFailure(error); // looked for again with the next tick
    }
  }

  #bury(): void {
    if (this.#burying) return;
    this.#burying = true;
    this.#context
      .bury()
      .then(() => this.tell())
      .catch((error: unknown) => this.#context.onFailure(error))
      .finally(() => {
        this.#burying = false;
      });
  }

  /** The last change of each session after the point that the watcher knows of. */
  #missed({ session, since }: WatchTarget): readonly Change[] {
    if (typeof since === "string")
      return this.#changedSince(this.#readCursor(since)).map((row) => this.#changeOf(row));
    const row = session === undefined ? undefined : this.#one.get(placeOf(session));
    if (row !== undefined) requireChecksum(row);
    if (since === undefined) return [];
    const change = row === undefined ? undefined : this.#changeOf(row);
    return change !== undefined && change.revision > since ? [change] : [];
  }

  #changeOf({ id, revision, updated_at, expires_at, deleted_at, change }: ChangedRow): Change {
    const cursor = encodeCursor({ store: this.#storeId, change });
    const session = { sessionId: id, cursor };
    if (deleted_at !== null) return { ...session, revision, at: deleted_at, deleted: true };
    // It has ended, and nobody has written that down yet.
    if (expires_at !== null && expires_at <= this.#context.now())
      return { ...session, revision: revision + 1, at: expires_at, deleted: true };
    return { ...session, revision, at: updated_at };
  }

  /** The last change that was seen. Of another store, or of a newer state of this one, none was: all changes are new. */
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
