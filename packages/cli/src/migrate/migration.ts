import type { SessionStore } from "@sessions/protocol";
import { allSessions } from "../sessions/all-sessions.js";
import { concurrently } from "./concurrently.js";
import { type Synced, syncSession } from "./sync-session.js";

/** How a migration is run. */
export interface MigrationOptions {
  readonly dryRun: boolean;
  /** Whether the source will be followed: then it is remembered what was copied. */
  readonly follow: boolean;
  /** How many sessions are under way at once. */
  readonly atOnce: number;
  /** Told of every session that was looked at. */
  readonly onSynced: (synced: Synced) => void;
}

/**
 * Copies every session of one store to another. It keeps no notes: what is in the target says how far it came, so that a
 * run that was killed goes on where it was.
 */
export class Migration {
  readonly #source: SessionStore;
  readonly #target: SessionStore;
  readonly #options: MigrationOptions;
  /** The lives that this run wrote, by session id: who is followed may be deleted and made anew. */
  readonly #ours = new Map<string, string>();

  constructor(source: SessionStore, target: SessionStore, options: MigrationOptions) {
    this.#source = source;
    this.#target = target;
    this.#options = options;
  }

  /** Brings over every session that the target does not have as it is. */
  async copy(signal?: AbortSignal): Promise<void> {
    await concurrently(
      allSessions(this.#source, signal),
      this.#options.atOnce,
      (head) => this.#sync(head),
      signal,
    );
  }

  /** Keeps the target in step with every change to the source, until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    // Not AbortSignal.any: Node may collect what it makes while somebody still listens to it.
    const end = new AbortController();
    const stop = (): void => end.abort();
    signal.addEventListener("abort", stop);
    try {
      if (signal.aborted) stop();
      const changes = this.#source.watch({ signal: end.signal });
      await concurrently(changes, this.#options.atOnce, ({ sessionId }) =>
        this.#syncById(sessionId).catch((error: unknown) => {
          stop();
          throw error;
        }),
      );
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** What is no longer in the source goes from the target too, if this run put it there. */
  async removeDeleted(): Promise<void> {
    for (const sessionId of this.#ours.keys()) {
      if (!(await this.#source.sessionExists(sessionId))) await this.#remove(sessionId);
    }
  }

  readonly #busy = new Map<string, Promise<void>>();

  // Two changes of one session are brought over one after the other: each takes the session as it is by then.
  async #syncById(sessionId: string): Promise<void> {
    const before = this.#busy.get(sessionId) ?? Promise.resolve();
    const now = before.then(() => this.#syncNow(sessionId));
    this.#busy.set(sessionId, now);
    await now.finally(() => {
      if (this.#busy.get(sessionId) === now) this.#busy.delete(sessionId);
    });
  }

  async #syncNow(sessionId: string): Promise<void> {
    const head = await this.#source.getSession(sessionId, { messages: "none" });
    if (head === undefined) await this.#remove(sessionId);
    else await this.#sync(head);
  }

  async #sync(head: Parameters<typeof syncSession>[2]): Promise<void> {
    const { dryRun, onSynced } = this.#options;
    const isOurs = (id: string, incarnation: string): boolean => this.#ours.get(id) === incarnation;
    const synced = await syncSession(this.#source, this.#target, head, { dryRun, isOurs });
    // Not the head's: the session may have been deleted and made anew before it was read.
    if ("incarnation" in synced) this.#ours.set(head.id, synced.incarnation);
    onSynced(synced);
  }

  async #remove(sessionId: string): Promise<void> {
    const incarnation = this.#ours.get(sessionId);
    const there = await this.#target.getSession(sessionId, { messages: "none" });
    if (there === undefined || there.incarnation !== incarnation || this.#options.dryRun) return;
    await this.#target.deleteSession(sessionId, { ifRevision: there.revision });
    this.#ours.delete(sessionId);
    this.#options.onSynced({ status: "gone", sessionId });
  }
}
