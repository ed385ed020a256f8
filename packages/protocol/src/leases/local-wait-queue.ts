/** One call of this store that waits for a turn on a session. */
export interface LocalWaiter {
  /** Whether no earlier call of this store waits for the session. */
  readonly isFirst: boolean;
  /** Resolves when the call becomes the first. */
  readonly first: Promise<void>;
  leave(): void;
}

/**
 * The calls of this store that wait for a turn, by session and in order of arrival. Only the first one of a session
 * reads the session after each change, because the others cannot begin before it. With a hundred waiters that is one
 * read for each change, not a hundred.
 */
export class LocalWaitQueues {
  readonly #queues = new Map<string, (() => void)[]>();

  /** Adds a call at the end. */
  join(sessionId: string): LocalWaiter {
    const queue = this.#queues.get(sessionId) ?? [];
    this.#queues.set(sessionId, queue);
    let wake: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      wake = resolve;
    });
    queue.push(wake);
    queue[0]?.();
    return {
      first,
      get isFirst() {
        return queue[0] === wake;
      },
      leave: () => this.#leave(sessionId, queue, wake),
    };
  }

  #leave(sessionId: string, queue: (() => void)[], wake: () => void): void {
    const at = queue.indexOf(wake);
    if (at === -1) return;
    queue.splice(at, 1);
    queue[0]?.();
    if (queue.length === 0) this.#queues.delete(sessionId);
  }
}
