import type { SessionStore } from "@sessions/protocol";
import { allSessions } from "../sessions/all-sessions.js";
import { concurrently } from "./concurrently.js";
import { type Synced, syncSession } from "./sync-session.js";

/** The options of a migration. */
export interface MigrationOptions {
  readonly dryRun: boolean;
  /** Whether changes of the source will be copied afterwards. Then the migration remembers what it has copied. */
  readonly follow: boolean;
  /** How many sessions are copied concurrently. */
  readonly atOnce: number;
  /** Called for every session that was examined. */
  readonly onSynced: (synced: Synced) => void;
}

/**
 * Copies every session of one store to another. It stores no progress: the sessions in the target show what is copied, so a run
 * can be killed and started again.
 */
export class Migration {
  readonly #source: SessionStore;
  readonly #target: SessionStore | undefined;
  readonly #options: MigrationOptions;
  /** The incarnations that this run wrote, by session id. A source session may be deleted and created again. */
  readonly #ours = new Map<string, string>();

  constructor(source: SessionStore, target: SessionStore | undefined, options: MigrationOptions) {
    this.#source = source;
    this.#target = target;
    this.#options = options;
  }

  /** Copies every session that differs in the target. */
  async copy(signal?: AbortSignal): Promise<void> {
    await concurrently(
      allSessions(this.#source, signal),
      this.#options.atOnce,
      (head) => this.#sync(head),
      signal,
    );
  }

  /** Copies every change of the source until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    // Not AbortSignal.any: Node may collect its signal although it still has listeners.
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

  /** Deletes a session from the target if it is deleted in the source and this run has copied it. */
  async removeDeleted(): Promise<void> {
    for (const sessionId of this.#ours.keys()) {
      if (!(await this.#source.sessionExists(sessionId))) await this.#remove(sessionId);
    }
  }

  readonly #busy = new Map<string, Promise<void>>();

  // Changes of one session are copied one after the other. Each copies the current state of the session.
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
    // Not that of the head: the session may have been deleted and created again before it was read.
    if ("incarnation" in synced) this.#ours.set(head.id, synced.incarnation);
    onSynced(synced);
  }

  async #remove(sessionId: string): Promise<void> {
    const incarnation = this.#ours.get(sessionId);
    const there = await this.#target?.getSession(sessionId, { messages: "none" });
    if (
      this.#target === undefined ||
      there === undefined ||
      there.incarnation !== incarnation ||
      this.#options.dryRun
    )
      return;
    await this.#target.deleteSession(sessionId, { ifRevision: there.revision });
    this.#ours.delete(sessionId);
    this.#options.onSynced({ status: "gone", sessionId });
  }
}
