import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import type { SessionStore } from "@sessions/protocol";
import { within } from "run-tools";
import { heldClock } from "./held-clock.js";
import type { FaultyStore } from "./stores/faulty-store.js";
import { viewOf } from "./view.js";

/** Longer than the 10 s that a store waits for locks, on a loaded machine. */
const STEP_MS = 30_000;

/** The folder of one trial and the stores that are open on it. */
export class TrialPlace {
  readonly folder: string;
  readonly #store: FaultyStore;
  readonly #open: SessionStore[] = [];

  constructor(folder: string, store: FaultyStore) {
    this.folder = folder;
    this.#store = store;
  }

  /** An empty folder. */
  static empty(folder: string, store: FaultyStore): TrialPlace {
    mkdirSync(folder);
    return new TrialPlace(folder, store);
  }

  /** A copy of a folder that no store is open on. */
  static copyOf(base: string, folder: string, store: FaultyStore): TrialPlace {
    cpSync(base, folder, { recursive: true });
    return new TrialPlace(folder, store);
  }

  /** Opens a store that stays open until `closeAll`. */
  async open(tidies = false): Promise<SessionStore> {
    const store = await this.#openNow(tidies);
    this.#open.push(store);
    return store;
  }

  /** The contents that a newly opened store shows. */
  async freshView(): Promise<string> {
    const store = await this.#openNow(false);
    try {
      return await within(STEP_MS, `the contents of ${this.folder}`, viewOf(store));
    } finally {
      await within(STEP_MS, `a store to close that has read ${this.folder}`, store.close());
    }
  }

  /** The contents that a store would show if every process that uses this folder were killed now. */
  async viewAfterKill(): Promise<string> {
    const copy = new TrialPlace(`${this.folder}-killed`, this.#store);
    copyOpenFolder(this.folder, copy.folder);
    try {
      return await copy.freshView();
    } finally {
      await copy.remove();
    }
  }

  /** Closes every store. One that met a fault may fail to close: the contents that the next store shows are what counts. */
  async closeAll(): Promise<void> {
    const closed = Promise.allSettled(this.#open.splice(0).map((store) => store.close()));
    await within(STEP_MS, `every store to close on ${this.folder}`, closed);
  }

  async remove(): Promise<void> {
    await this.closeAll();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #openNow(tidies: boolean): Promise<SessionStore> {
    const opening = this.#store.open(this.folder, { clock: heldClock, tidies });
    return within(STEP_MS, `a store to open on ${this.folder}`, opening);
  }
}

/** Copies in another process: a process that opens and closes a file gives up all its POSIX locks on it, also those of SQLite. */
function copyOpenFolder(from: string, to: string): void {
  execFileSync("cp", ["-r", from, to], { env: { PATH: process.env.PATH }, timeout: STEP_MS });
}
