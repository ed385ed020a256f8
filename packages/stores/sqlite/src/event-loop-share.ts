/** How long calls may go on without letting anybody else run. */
const SHARE_MS = 10;

/**
 * SQLite works synchronously, so a loop that awaits one call after the other would never leave the microtask queue: no
 * timer and no socket would get its turn. Now and then a call gives them one.
 */
export class EventLoopShare {
  #since = performance.now();

  /** Whether it is somebody else's turn. */
  get isDue(): boolean {
    return performance.now() - this.#since >= SHARE_MS;
  }

  async give(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
