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
  readonly #lines = new Map<string, (() => void)[]>();

  /** Adds a call at the end. */
  join(sessionId: string): LocalWaiter {
    const line = this.#lines.get(sessionId) ?? [];
    this.#lines.set(sessionId, line);
    let wake: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      wake = resolve;
    });
    line.push(wake);
    line[0]?.();
    return {
      first,
      get isFirst() {
        return line[0] === wake;
      },
      leave: () => this.#leave(sessionId, line, wake),
    };
  }

  #leave(sessionId: string, line: (() => void)[], wake: () => void): void {
    const at = line.indexOf(wake);
    if (at === -1) return;
    line.splice(at, 1);
    line[0]?.();
    if (line.length === 0) this.#lines.delete(sessionId);
  }
}
