import type { Message } from "@sessions/protocol/backend";
import { type MessageRow, RowCache, type StoredMessage } from "@sessions/row-engine";
import { atLater, grownContent, type SessionEntry } from "./session-entry.js";
import type { SessionHead } from "./session-head.js";

/** Sessions are small: their messages have a cache of their own. */
const MAX_CACHED_SESSIONS = 2000;
/** What append.lua has made of a session. */
export interface Appended {
  /** How many requests were applied, and how many of them had ids of callers. */
  readonly applied: number;
  readonly given: number;
  readonly revision: number;
  readonly at: number;
  readonly nextRow: number;
}

interface CachedSession {
  readonly entry: SessionEntry;
  /** What was appended since, summed up. */
  appended: Appended | undefined;
}

/** What was read of sessions or written to them, on the connection that is there. On another one it may be otherwise. */
export class SessionCache {
  readonly rows: RowCache<string>;
  readonly #sessions = new Map<string, CachedSession>();
  readonly #epochNow: () => number;
  #epoch: number;

  constructor(maxBytes: number, epochNow: () => number) {
    this.rows = new RowCache(maxBytes);
    this.#epochNow = epochNow;
    this.#epoch = epochNow();
  }

  /** The session as it was last read or written. */
  get(id: string): SessionEntry | undefined {
    this.#clearIfReconnected();
    return this.#sessions.get(id)?.entry;
  }

  /** The same with what this store has appended since. */
  getAppended(id: string): SessionEntry | undefined {
    const entry = this.get(id);
    const appended = this.#sessions.get(id)?.appended;
    if (appended === undefined || entry?.head === undefined || entry.content === undefined) return entry;
    const { head, content } = entry;
    const next = headAfter(head, appended);
    const moment = atLater(entry, appended.at);
    return { ...entry, ...moment, head: next, content: grownContent(content, head.nextRow, next) };
  }

  put(entry: SessionEntry): void {
    this.#clearIfReconnected();
    this.#sessions.delete(entry.id); // to the end: it was used last
    this.#sessions.set(entry.id, { entry, appended: undefined });
    if (this.#sessions.size > MAX_CACHED_SESSIONS) this.#evictOldest();
  }

  forget(id: string): void {
    this.#sessions.delete(id);
  }

  /** What is on the server counts, not what was read before. */
  forgetWithRows(id: string): void {
    const life = this.get(id)?.head?.life;
    if (life !== undefined) this.rows.drop(life);
    this.forget(id);
  }

  putRow(life: string, row: number, stored: StoredMessage, size: number): void {
    this.rows.put(life, row, stored, size);
  }

  /** The row of this very message in a life. Messages of other sessions are in other rows. */
  rowOf(life: string, message: Message): MessageRow | undefined {
    const stored = this.rows.rowOf(message);
    return stored !== undefined && this.rows.get(life, stored.row)?.message === message ? stored : undefined;
  }

  /** Takes down what was appended, if nobody else has changed the session since it was read. */
  append(id: string, appended: Appended): void {
    const cached = this.#sessions.get(id);
    if (cached === undefined) return;
    const before = cached.appended;
    const revision = before?.revision ?? cached.entry.head?.revision ?? 0;
    if (revision + appended.applied !== appended.revision) return;
    cached.appended = {
      ...appended,
      applied: appended.applied + (before?.applied ?? 0),
      given: appended.given + (before?.given ?? 0),
      at: Math.max(appended.at, before?.at ?? 0),
    };
  }

  #clearIfReconnected(): void {
    const epoch = this.#epochNow();
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#sessions.clear();
    this.rows.clear();
  }

  /** Its messages are not cached without it. */
  #evictOldest(): void {
    const [oldest] = this.#sessions;
    if (oldest === undefined) return;
    const [id, { entry }] = oldest;
    this.#sessions.delete(id);
    if (entry.head !== undefined) this.rows.drop(entry.head.life);
  }
}

function headAfter(head: SessionHead, { applied, given, revision, at, nextRow }: Appended): SessionHead {
  const { renews, expiresAt } = head;
  return {
    ...head,
    revision,
    updatedAt: Math.max(head.updatedAt, at),
    nextRow,
    expiresAt: renews === undefined ? expiresAt : Math.max(expiresAt ?? 0, at + renews),
    given: grownBy(head.given, given),
    generated: grownBy(head.generated, applied - given),
  };
}

function grownBy(counts: SessionHead["given"], more: number): SessionHead["given"] {
  return { ...counts, next: counts.next + more, stored: counts.stored + more };
}
