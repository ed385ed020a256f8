import { frozen, type Message, type MessageDraft, withCreatedAt } from "@sessions/protocol/backend";
import { type MessageRow, RowCache, type StoredMessage } from "@sessions/row-engine";
import { grownContent, type SessionEntry } from "./session-entry.js";
import type { SessionHead } from "./session-head.js";

/** Sessions are small: their messages have a cache of their own. */
const MAX_CACHED_SESSIONS = 2000;
/** Appends that are kept until the session is used again. More are read again then. */
const MAX_PENDING_MESSAGES = 64;
const MAX_PENDING_BYTES = 65_536;

/** A message that append.lua has written. */
export interface AppendedMessage {
  readonly row: number;
  readonly draft: MessageDraft;
  readonly revision: number;
  readonly at: number;
  readonly size: number;
}

/** What append.lua has made of a session. */
export interface Appended {
  /** How many requests were applied, and how many of them had ids of callers. */
  readonly applied: number;
  readonly given: number;
  readonly revision: number;
  readonly at: number;
  readonly nextRow: number;
  readonly messages: readonly AppendedMessage[];
}

interface CachedSession {
  entry: SessionEntry;
  /** What was appended since, in order. */
  appended: Appended[];
  pendingMessages: number;
  pendingBytes: number;
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

  /** The session as it was last known, with what this store has appended since. */
  get(id: string): SessionEntry | undefined {
    this.#clearIfReconnected();
    const cached = this.#sessions.get(id);
    if (cached === undefined) return undefined;
    if (cached.appended.length > 0) this.#settle(cached);
    return cached.entry;
  }

  /** The same, perhaps without what was appended since: for what appends do not change. */
  peek(id: string): SessionEntry | undefined {
    this.#clearIfReconnected();
    return this.#sessions.get(id)?.entry;
  }

  put(entry: SessionEntry): void {
    this.#clearIfReconnected();
    this.#sessions.delete(entry.id); // to the end: it was used last
    this.#sessions.set(entry.id, { entry, appended: [], pendingMessages: 0, pendingBytes: 0 });
    if (this.#sessions.size > MAX_CACHED_SESSIONS) this.#evictOldest();
  }

  forget(id: string): void {
    this.#sessions.delete(id);
  }

  /** What is on the server counts, not what was read before. */
  forgetWithRows(id: string): void {
    const life = this.peek(id)?.head?.life;
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
    const before = cached.appended.at(-1)?.revision ?? cached.entry.head?.revision;
    if (before === undefined || before + appended.applied !== appended.revision) return;
    for (const { size } of appended.messages) cached.pendingBytes += size;
    cached.pendingMessages += appended.messages.length;
    cached.appended.push(appended);
    if (cached.pendingMessages > MAX_PENDING_MESSAGES || cached.pendingBytes > MAX_PENDING_BYTES)
      this.#settle(cached, false);
  }

  /** What was appended becomes part of what is known. Without its messages, these are read when they are needed. */
  #settle(cached: CachedSession, withMessages = true): void {
    const { entry, appended } = cached;
    const { head, content } = entry;
    const last = appended.at(-1);
    cached.appended = [];
    cached.pendingMessages = 0;
    cached.pendingBytes = 0;
    if (head === undefined || content === undefined || last === undefined) return;
    const next = appended.reduce(headAfter, head);
    if (withMessages)
      for (const { messages } of appended)
        for (const { row, draft, revision, at, size } of messages)
          this.putRow(head.life, row, { message: frozen(withCreatedAt(draft, at)), revision }, size);
    cached.entry = {
      ...entry,
      now: Math.max(entry.now, last.at),
      head: next,
      content: grownContent(content, head.nextRow, next),
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
