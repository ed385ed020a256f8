import { setTimeout as delay } from "node:timers/promises";
import type { FileLock, HeldLock } from "./file-lock.js";

/** Longer writes than this ask others to wait: they would lose every race against short ones. */
const LONG_WRITE = 64 * 1024;
/** Who has lost this often asks too. */
const UNLUCKY = 3;
/** Nobody waits longer than this for a lock: its holder may be dead, and the order of writes does not need it. */
const PATIENCE_MS = 200;
const LOOK_MS = 5;

/** How one writer of a session treats the others. */
export class Courtesy {
  readonly #lock: FileLock;
  readonly #folder: string;
  #held: HeldLock | undefined;
  /** The lock that was waited for last. It is waited for once. */
  #waitedFor: string | undefined;
  /** Whether the next write goes ahead, lock or no lock: it has waited. */
  #waited = false;

  constructor(lock: FileLock, folder: string) {
    this.#lock = lock;
    this.#folder = folder;
  }

  /** What to wait for before so much is written; `undefined` to go on at once. Who writes alone need not ask. */
  before(bytes: number, lost: number, othersWrite: boolean): Promise<void> | undefined {
    if (this.#held !== undefined || this.#waited) {
      this.#waited = false;
      return undefined;
    }
    if (!othersWrite && bytes <= LONG_WRITE && lost === 0) return undefined;
    const standing = this.#lock.standing(this.#folder);
    const patience = standing === undefined || standing === this.#waitedFor ? LOOK_MS : PATIENCE_MS;
    if (bytes > LONG_WRITE || lost >= UNLUCKY) return this.#ask(standing, patience);
    return standing === undefined || patience === LOOK_MS ? undefined : this.#waitFor(standing);
  }

  /** The write is done. */
  async after(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    await held?.release();
  }

  async #ask(standing: string | undefined, patienceMs: number): Promise<void> {
    this.#held = await this.#lock.acquire(this.#folder, patienceMs);
    this.#waitedFor = standing;
    this.#waited = true;
  }

  async #waitFor(standing: string): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline && this.#lock.standing(this.#folder) === standing)
      await delay(LOOK_MS);
    this.#waitedFor = standing;
    this.#waited = true;
  }
}
