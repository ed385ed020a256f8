import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import type { SessionStore } from "@sessions/protocol";
import { within } from "run-tools";
import { fixedClock } from "./fixed-clock.js";
import type { StoreUnderTest } from "./stores/store-under-test.js";
import { viewOf } from "./view.js";

/** Longer than the 10 s for which a store waits for locks, even on a slow machine. */
const STEP_MS = 30_000;

/** The folder of one trial and the stores that are open on it. */
export class TrialFolder {
  readonly path: string;
  readonly #store: StoreUnderTest;
  readonly #open: SessionStore[] = [];

  constructor(path: string, store: StoreUnderTest) {
    this.path = path;
    this.#store = store;
  }

  /** An empty folder. */
  static empty(path: string, store: StoreUnderTest): TrialFolder {
    mkdirSync(path);
    return new TrialFolder(path, store);
  }

  /** A copy of a folder on which no store is open. */
  static copyOf(base: string, path: string, store: StoreUnderTest): TrialFolder {
    cpSync(base, path, { recursive: true });
    return new TrialFolder(path, store);
  }

  /** Opens a store that stays open until `closeAll`. */
  async open(runsUpkeep = false): Promise<SessionStore> {
    const store = await this.#openNow(runsUpkeep);
    this.#open.push(store);
    return store;
  }

  /** The contents that a newly opened store shows. */
  async freshView(): Promise<string> {
    const store = await this.#openNow(false);
    try {
      return await within(STEP_MS, `the contents of ${this.path}`, viewOf(store));
    } finally {
      await within(STEP_MS, `a store to close that has read ${this.path}`, store.close());
    }
  }

  /** The contents that a store would show if every process that uses this folder were killed now. */
  async viewAfterKill(): Promise<string> {
    const copy = new TrialFolder(`${this.path}-killed`, this.#store);
    copyOpenFolder(this.path, copy.path);
    try {
      return await copy.freshView();
    } finally {
      await copy.remove();
    }
  }

  /** Closes every store. Ignores failures: a store that met a fault may fail to close, and the checks read a new store. */
  async closeAll(): Promise<void> {
    const closed = Promise.allSettled(this.#open.splice(0).map((store) => store.close()));
    await within(STEP_MS, `every store to close on ${this.path}`, closed);
  }

  async remove(): Promise<void> {
    await this.closeAll();
    rmSync(this.path, { recursive: true, force: true });
  }

  #openNow(runsUpkeep: boolean): Promise<SessionStore> {
    const opening = this.#store.open(this.path, { clock: fixedClock, runsUpkeep });
    return within(STEP_MS, `a store to open on ${this.path}`, opening);
  }
}

/** Copies in another process: closing a file releases all POSIX locks of the process on it, also those of SQLite. */
function copyOpenFolder(from: string, to: string): void {
  execFileSync("cp", ["-r", from, to], { env: { PATH: process.env.PATH }, timeout: STEP_MS });
}
