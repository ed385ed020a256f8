/** A place in the line of those who wait for one session in this store. */
export interface LocalWaiter {
  /** Whether nobody here waits before it. */
  readonly isFirst: boolean;
  /** Resolves when nobody here waits before it any more. */
  readonly first: Promise<void>;
  leave(): void;
}

/**
 * Who waits for which session in this store, in order of arrival. Only the first of a session's has to look whenever the
 * session changes: the others cannot begin before it. With a hundred waiters that is one read for each change, not a hundred.
 */
export class LocalWaitQueues {
  readonly #lines = new Map<string, (() => void)[]>();

  /** Takes the last place. */
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
