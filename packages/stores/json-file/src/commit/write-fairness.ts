import { setTimeout as delay } from "node:timers/promises";
import type { FileLock, HeldLock } from "../engine/file-lock.js";

/** Longer writes than this ask others to wait: they would lose every race against short ones. */
const LONG_WRITE = 64 * 1024;
/** Who has lost this often asks too. */
const UNLUCKY = 3;
/** Nobody waits longer than this for a lock: its holder may be dead, and the order of writes does not need it. */
const PATIENCE_MS = 200;
const LOOK_MS = 5;
/** Even who writes alone looks for a lock now and then: somebody may be waiting for a pause. */
const COMMITS_BETWEEN_LOOKS = 16;

/** How the writers of a session in this store treat those in others. */
export class Courtesy {
  readonly #lock: FileLock;
  readonly #folder: string;
  /** The lock that was waited for last. It is waited for once. */
  #waitedFor: string | undefined;
  #visits = 0;

  constructor(lock: FileLock, folder: string) {
    this.#lock = lock;
    this.#folder = folder;
  }

  /** One commit's dealings with the lock. */
  visit(): CourtesyVisit {
    this.#visits++;
    return new Visit(this, this.#visits % COMMITS_BETWEEN_LOOKS === 0);
  }

  standing(): string | undefined {
    return this.#lock.standing(this.#folder);
  }

  /** How long to wait for a lock that stands there. */
  patienceFor(standing: string | undefined): number {
    return standing === undefined || standing === this.#waitedFor ? LOOK_MS : PATIENCE_MS;
  }

  async ask(standing: string | undefined): Promise<HeldLock | undefined> {
    const held = await this.#lock.acquire(this.#folder, this.patienceFor(standing));
    this.#waitedFor = standing;
    return held;
  }

  async waitFor(standing: string): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline && this.standing() === standing) await delay(LOOK_MS);
    this.#waitedFor = standing;
  }
}

/** One commit's dealings with the lock. */
export interface CourtesyVisit {
  /** What to wait for before so much is written; `undefined` to go on at once. Who writes alone need not ask. */
  before(bytes: number, lost: number, othersWrite: boolean): Promise<void> | undefined;
  /** The write is done. */
  after(): Promise<void> | undefined;
}

class Visit implements CourtesyVisit {
  readonly #courtesy: Courtesy;
  readonly #looks: boolean;
  #held: HeldLock | undefined;
  /** How often others were faster although it was held. */
  #lost = 0;
  /** Whether the next write goes ahead, lock or no lock: it has waited. */
  #waited = false;

  constructor(courtesy: Courtesy, looks: boolean) {
    this.#courtesy = courtesy;
    this.#looks = looks;
  }

  before(bytes: number, lost: number, othersWrite: boolean): Promise<void> | undefined {
    if (this.#waited) {
      this.#waited = false;
      return undefined;
    }
    if (this.#held !== undefined) return this.#lostWith(this.#held);
    if (!othersWrite && !this.#looks && bytes <= LONG_WRITE && lost === 0) return undefined;
    const standing = this.#courtesy.standing();
    if (bytes > LONG_WRITE || lost >= UNLUCKY) return this.#ask(standing);
    if (standing === undefined || this.#courtesy.patienceFor(standing) === LOOK_MS) return undefined;
    this.#waited = true;
    return this.#courtesy.waitFor(standing);
  }

  after(): Promise<void> | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held?.release();
  }

  /**
   * Whoever was about to write when the lock was taken may be faster once. Who is faster after that has waited for this
   * lock and will not again; a new one they wait for.
   */
  #lostWith(held: HeldLock): Promise<void> | undefined {
    this.#lost++;
    return this.#lost === 1 ? undefined : this.#askAnew(held);
  }

  async #askAnew(held: HeldLock): Promise<void> {
    this.#held = undefined;
    this.#lost = 0;
    await held.release();
    await this.#ask(this.#courtesy.standing());
  }

  async #ask(standing: string | undefined): Promise<void> {
    this.#held = await this.#courtesy.ask(standing);
    this.#waited = true;
  }
}
