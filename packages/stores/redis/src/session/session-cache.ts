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
  /** What was appended since, summed up. */
  appended: Omit<Appended, "messages"> | undefined;
  /** The messages of it. If they are many they are not kept, and read when they are needed. */
  messages: AppendedMessage[];
  bytes: number;
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
    this.#settle(cached);
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
    this.#sessions.set(entry.id, { entry, appended: undefined, messages: [], bytes: 0 });
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
  append(id: string, { messages, ...appended }: Appended): void {
    const cached = this.#sessions.get(id);
    if (cached === undefined) return;
    const before = cached.appended;
    const revision = before?.revision ?? cached.entry.head?.revision ?? 0;
    if (revision + appended.applied !== appended.revision) return;
    cached.appended =
      before === undefined
        ? appended
        : {
            ...appended,
            applied: before.applied + appended.applied,
            given: before.given + appended.given,
            at: Math.max(before.at, appended.at),
          };
    for (const message of messages) {
      cached.bytes += message.size;
      cached.messages.push(message);
    }
    if (cached.messages.length > MAX_PENDING_MESSAGES || cached.bytes > MAX_PENDING_BYTES)
      cached.messages = [];
  }

  /** What was appended becomes part of what is known. */
  #settle(cached: CachedSession): void {
    const { entry, appended, messages } = cached;
    const { head, content } = entry;
    if (head === undefined || content === undefined || appended === undefined) return;
    for (const { row, draft, revision, at, size } of messages)
      this.putRow(head.life, row, { message: frozen(withCreatedAt(draft, at)), revision }, size);
    cached.appended = undefined;
    cached.messages = [];
    cached.bytes = 0;
    const next = headAfter(head, appended);
    const now = Math.max(entry.now, appended.at);
    cached.entry = { ...entry, now, head: next, content: grownContent(content, head.nextRow, next) };
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

function headAfter(
  head: SessionHead,
  { applied, given, revision, at, nextRow }: Omit<Appended, "messages">,
): SessionHead {
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
