import { setImmediate as nextTask } from "node:timers/promises";

/** How long reads may go on without letting anybody else run. */
const SHARE_MS = 5;

/**
 * Files are read synchronously, so a loop that awaits one read after the other would never leave the microtask queue:
 * no timer, no socket and no finished disk write would get its turn. Now and then a read gives them one.
 */
export class EventLoopShare {
  #since = performance.now();

  async take(): Promise<void> {
    if (performance.now() - this.#since < SHARE_MS) return;
    await nextTask();
    this.#since = performance.now();
  }
}
