import { setTimeout as delay } from "node:timers/promises";
import type { FileLock, HeldLock } from "../engine/file-lock.js";

/** A longer write takes the lock: it would lose every race against short ones. */
const LONG_WRITE_CHARS = 64 * 1024;
/** A commit that has tried this often without success takes it too. */
const MAX_ATTEMPTS_WITHOUT_LOCK = 3;
/** How long a lock is waited for, once. Its holder may be dead, and no write needs the lock to be safe. */
const LOCK_WAIT_MS = 200;
const POLL_MS = 5;
/** A store that writes alone looks for a lock with every 16th commit: another process may wait for a pause. */
const COMMITS_BETWEEN_LOOKS = 16;

/** Keeps the writers of a session in several stores from starving each other, by a lock that protects nothing. */
export class WriteFairness {
  readonly #lock: FileLock;
  readonly #folder: string;
  /** The lock that was waited for last. It is waited for once. */
  #waitedFor: string | undefined;
  #commits = 0;

  constructor(lock: FileLock, folder: string) {
    this.#lock = lock;
    this.#folder = folder;
  }

  /** Begins a commit. */
  begin(): WriteTurn {
    this.#commits++;
    return new WriteTurn(this, this.#commits % COMMITS_BETWEEN_LOOKS === 0);
  }

  /** Which lock is held by another store, if any. */
  present(): string | undefined {
    return this.#lock.present(this.#folder);
  }

  wasWaitedFor(lock: string): boolean {
    return lock === this.#waitedFor;
  }

  async acquire(): Promise<HeldLock | undefined> {
    const present = this.present();
    const waitMs = present === undefined || this.wasWaitedFor(present) ? POLL_MS : LOCK_WAIT_MS;
    const held = await this.#lock.acquire(this.#folder, waitMs);
    this.#waitedFor = present;
    return held;
  }

  async waitFor(lock: string): Promise<void> {
    const deadline = performance.now() + LOCK_WAIT_MS;
    while (performance.now() < deadline && this.present() === lock) await delay(POLL_MS);
    this.#waitedFor = lock;
  }
}

/** One commit's use of the lock. */
export class WriteTurn {
  readonly #fairness: WriteFairness;
  readonly #looks: boolean;
  #held: HeldLock | undefined;
  #attempts = 0;
  /** How many writes failed although the lock was held. */
  #lostWithLock = 0;
  /** Whether the next write goes ahead in any case, because it has waited. */
  #hasWaited = false;

  constructor(fairness: WriteFairness, looks: boolean) {
    this.#fairness = fairness;
    this.#looks = looks;
  }

  /** What to wait for before a write of this length; `undefined` to write at once. After the wait, decide again. */
  before(length: number, othersWrite: boolean): Promise<void> | undefined {
    this.#attempts++;
    if (this.#hasWaited) {
      this.#hasWaited = false;
      return undefined;
    }
    if (this.#held !== undefined) return this.#lostWith(this.#held);
    const isFirst = this.#attempts === 1;
    if (isFirst && !othersWrite && !this.#looks && length <= LONG_WRITE_CHARS) return undefined;
    if (length > LONG_WRITE_CHARS || this.#attempts > MAX_ATTEMPTS_WITHOUT_LOCK) return this.#acquire();
    const present = this.#fairness.present();
    if (present === undefined || this.#fairness.wasWaitedFor(present)) return undefined;
    this.#hasWaited = true;
    return this.#fairness.waitFor(present);
  }

  /** The write is done, or given up. */
  async end(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    await held?.release();
  }

  /**
   * Another store that was about to write when the lock was taken may be faster once. After that, whoever is faster has
   * waited for this lock and does not wait for it again; it waits for a new one.
   */
  #lostWith(held: HeldLock): Promise<void> | undefined {
    this.#lostWithLock++;
    return this.#lostWithLock === 1 ? undefined : this.#acquireAnew(held);
  }

  async #acquireAnew(held: HeldLock): Promise<void> {
    this.#held = undefined;
    this.#lostWithLock = 0;
    await held.release();
    await this.#acquire();
  }

  async #acquire(): Promise<void> {
    this.#held = await this.#fairness.acquire();
    this.#hasWaited = true;
  }
}
