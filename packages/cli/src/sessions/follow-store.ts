import type { Change, SessionStore } from "@sessions/protocol";
import { allSessions, exportIfThere, isDamage } from "./all-sessions.js";
import { SessionFollower, type TailView } from "./session-follower.js";

/** How a store is followed. */
export interface FollowStoreOptions {
  readonly viewOf: (sessionId: string) => TailView;
  /** Called when everything that is written from now on will be shown. */
  readonly onReady: () => void;
  /** Called for a session that cannot be read. The others are followed all the same. */
  readonly onDamage: (sessionId: string, error: Error) => void;
  readonly signal: AbortSignal;
}

/** Shows the messages of all sessions that are written from now on, until the signal aborts. */
export async function followStore(store: SessionStore, options: FollowStoreOptions): Promise<void> {
  const { signal, onReady, onDamage } = options;
  const changes = store.watch({ signal })[Symbol.asyncIterator]();
  // Begun before the sessions are listed, so that no change is missed between the two.
  let next = changes.next();
  next.catch(() => undefined); // no unhandled rejection: it is awaited below
  const sessions = new StoreFollower(store, options);
  await sessions.begin();
  onReady();
  try {
    for (let result = await next; result.done !== true; result = await next) {
      const change = result.value;
      try {
        await sessions.changed(change);
      } catch (error) {
        if (!isDamage(error)) throw error;
        onDamage(change.sessionId, error);
      }
      next = changes.next();
    }
  } finally {
    await changes.return?.();
  }
  signal.throwIfAborted();
}

class StoreFollower {
  readonly #store: SessionStore;
  readonly #options: FollowStoreOptions;
  /** The revisions of the sessions when following began. Their messages of then are not new. */
  readonly #revisions = new Map<string, number>();
  readonly #followers = new Map<string, SessionFollower>();

  constructor(store: SessionStore, options: FollowStoreOptions) {
    this.#store = store;
    this.#options = options;
  }

  async begin(): Promise<void> {
    for await (const { id, revision } of allSessions(this.#store, this.#options.signal))
      this.#revisions.set(id, revision);
  }

  async changed({ sessionId, deleted, revision }: Change): Promise<void> {
    const began = this.#revisions.get(sessionId) ?? 0;
    if (deleted !== true && revision <= began) return;
    const follower = this.#followers.get(sessionId) ?? (await this.#follower(sessionId, began));
    if (deleted !== true) {
      this.#followers.set(sessionId, follower);
      return follower.update(this.#options.signal);
    }
    this.#revisions.delete(sessionId);
    this.#followers.delete(sessionId);
    return follower.deleted();
  }

  /** Follows a session from its messages of the revision that it had when following began. */
  async #follower(sessionId: string, began: number): Promise<SessionFollower> {
    const { signal, viewOf } = this.#options;
    const view = viewOf(sessionId);
    if (began === 0) return new SessionFollower(this.#store, sessionId, view, []);
    const document = (await exportIfThere(this.#store, sessionId, signal))?.session;
    const old = (document?.messages ?? []).filter((_, at) => (document?.revisions[at] ?? 0) <= began);
    const draft = old.findIndex(({ status }) => status === "partial");
    return new SessionFollower(this.#store, sessionId, view, old.slice(draft));
  }
}
