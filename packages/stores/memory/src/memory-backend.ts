import {
  applyCommit,
  type Capabilities,
  type Change,
  type CommitOutcome,
  type CommitRequest,
  documentOf,
  frozen,
  frozenRecord,
  type ListQuery,
  type LiveState,
  listSummaries,
  type Page,
  readState,
  type Selection,
  type SessionBackend,
  type SessionDocument,
  type SessionRecord,
  type SessionState,
  type StoreDescription,
  type SummaryRecord,
  stateAt,
  summaryOf,
  TOMBSTONE_MS,
  type Verification,
  type WatchTarget,
} from "@sessions/protocol/backend";

import { cursorOf, readCursor } from "./feed-cursor.js";
import type { MemoryData } from "./memory-data.js";

const CAPABILITIES: Capabilities = {
  groupCommit: "store",
  durable: { supported: false, reason: "Sessions live in the memory of this process and end with it." },
  multiProcess: { supported: false, reason: "No other process can reach the memory of this one." },
  search: { supported: false, reason: "There is no index; read the messages and look." },
};

/** The reference: a map of states, folded by `applyCommit`. Everything that a backend must do, and nothing else. */
export class MemoryBackend implements SessionBackend {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #data: MemoryData;
  readonly #now: () => number;
  readonly #expiries = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(data: MemoryData, now: () => number) {
    this.#data = data;
    this.#now = now;
  }

  async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    return requests.map((request) => this.#commitOne(request));
  }

  async read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    const state = this.#live(sessionId);
    return state === undefined ? undefined : frozenRecord(readState(sessionId, state, select));
  }

  async document(sessionId: string): Promise<SessionDocument | undefined> {
    const state = this.#live(sessionId);
    return state === undefined ? undefined : frozen(documentOf(state));
  }

  async list(query: ListQuery): Promise<Page<SummaryRecord>> {
    return listSummaries(this.#summaries(), query);
  }

  watch(target: WatchTarget, signal: AbortSignal): AsyncIterable<Change> {
    return this.#data.feed.watch(target, signal, () => this.#missed(target));
  }

  async verify(sessionId: string): Promise<Verification | undefined> {
    const state = this.#live(sessionId);
    if (state === undefined) return undefined;
    return {
      sessionId,
      ok: true,
      revision: state.revision,
      messages: state.history.messages.length,
      findings: [],
    };
  }

  async describe(): Promise<StoreDescription> {
    return {
      store: "memory",
      location: "this process",
      format: { version: 1, supported: 1 },
      durability: { survives: "nothing", detail: "Everything is lost when the process ends." },
      capabilities: CAPABILITIES,
      healthy: true,
      warnings: [],
    };
  }

  async close(): Promise<void> {
    for (const timer of this.#expiries.values()) clearTimeout(timer);
    this.#expiries.clear();
  }

  #commitOne(request: CommitRequest): CommitOutcome {
    const { sessionId, at } = request;
    const before = this.#stateOf(sessionId, at);
    const { outcome, state } = applyCommit(before, frozen(request));
    if (outcome.status !== "applied" || state === undefined) return outcome;
    this.#data.states.set(sessionId, state);
    // A renewal raises no revision and is nothing to tell.
    if (outcome.revision !== before?.revision) this.#tell(sessionId, state, at);
    this.#scheduleExpiry(sessionId, state);
    return outcome;
  }

  #tell(sessionId: string, state: SessionState, at: number): void {
    this.#data.changedAt.set(sessionId, ++this.#data.clock.changes);
    this.#data.feed.publish(this.#change(sessionId, state, at));
  }

  #change(sessionId: string, state: SessionState, at: number): Change {
    const deleted = state.status === "deleted" ? { deleted: true } : {};
    return {
      sessionId,
      revision: state.revision,
      at,
      ...deleted,
      cursor: cursorOf(this.#data, this.#data.changedAt.get(sessionId) ?? 0),
    };
  }

  /** The last change of each session after the point that the watcher knows of, in the order they happened. */
  #missed({ session, since }: WatchTarget): readonly Change[] {
    if (since === undefined) return [];
    const known = typeof since === "number" ? since : readCursor(since, this.#data);
    const ids = session === undefined ? [...this.#data.states.keys()] : [session];
    for (const id of ids) this.#endIfExpired(id);
    return ids
      .map((id) => ({ id, number: this.#data.changedAt.get(id) ?? 0 }))
      .sort((a, b) => a.number - b.number)
      .flatMap(({ id, number }) => {
        const state = this.#stateOf(id, this.#now());
        if (state === undefined || (session === undefined ? number : state.revision) <= known) return [];
        return [this.#change(id, state, state.status === "live" ? state.updatedAt : state.deletedAt)];
      });
  }

  /** The state at a time; what nobody needs to remember any more is forgotten. */
  #stateOf(sessionId: string, at: number): SessionState | undefined {
    const state = stateAt(this.#data.states.get(sessionId), at);
    if (state?.status !== "deleted" || state.deletedAt + TOMBSTONE_MS > at) return state;
    this.#data.states.delete(sessionId);
    this.#data.changedAt.delete(sessionId);
    return undefined;
  }

  #live(sessionId: string): LiveState | undefined {
    const state = this.#stateOf(sessionId, this.#now());
    return state?.status === "live" ? state : undefined;
  }

  *#summaries(): Generator<SummaryRecord> {
    const now = this.#now(); // one time for the whole list
    for (const sessionId of this.#data.states.keys()) {
      const state = this.#stateOf(sessionId, now);
      if (state?.status === "live") yield frozen(summaryOf(sessionId, state));
    }
  }

  // Reads see an expired session as absent by themselves; the timer is for those who watch.
  #scheduleExpiry(sessionId: string, state: SessionState): void {
    clearTimeout(this.#expiries.get(sessionId));
    this.#expiries.delete(sessionId);
    if (state.status !== "live" || state.expiresAt === undefined) return;
    const delay = Math.min(Math.max(0, state.expiresAt - this.#now()) + 1, 0x7fffffff);
    const timer = setTimeout(() => this.#expire(sessionId), delay);
    timer.unref();
    this.#expiries.set(sessionId, timer);
  }

  /** A store that was closed has left its timers behind: what has expired since then ends now. */
  #endIfExpired(sessionId: string): void {
    const state = this.#data.states.get(sessionId);
    if (stateAt(state, this.#now()) !== state) this.#expire(sessionId);
  }

  #expire(sessionId: string): void {
    const stored = this.#data.states.get(sessionId);
    const state = stateAt(stored, this.#now());
    if (stored === undefined || state === undefined) return;
    if (state === stored) {
      this.#scheduleExpiry(sessionId, stored); // it was postponed
    } else {
      this.#data.states.set(sessionId, state);
      this.#tell(sessionId, state, this.#now());
    }
  }
}
