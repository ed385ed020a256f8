import * as fs from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lock } from "proper-lockfile";
import type { Warnings } from "../warnings.js";
import { hasCode } from "./has-code.js";

/** A lock that this process holds. */
export interface HeldLock {
  release(): Promise<void>;
}

/**
 * Prevents starvation: a writer with a long record, or one that keeps losing, asks the others to wait. It does not make
 * the store safe, and could not: a holder that was paused until its lock was stale removes the lock of the next holder.
 */
export interface FileLock {
  /** `undefined` if another holder kept it for the whole time. */
  acquire(folder: string, patienceMs: number): Promise<HeldLock | undefined>;
  /** The identity of the present lock, if there is one. No two locks have the same. */
  present(folder: string): string | undefined;
}

/** A lock that was not renewed for this long is stale: its holder has died or is paused. */
const STALE_MS = 10_000;
const UPDATE_MS = 2_000;
/** Delays between two attempts are random, so that no process always comes second. */
const LONGEST_PAUSE_MS = 20;

/** Locks as folders under `locks`. */
export function properFileLock(locks: string, warnings: Warnings, folderMode: number): FileLock {
  const onTrouble = (path: string, cause: unknown): void => {
    const message = `The lock ${path} was taken away or could not be given back. Nothing is lost; writers may have to try again.`;
    warnings.give({ code: "LOCK_TROUBLE", message, path, cause });
  };
  const pathOf = (folder: string): string => join(locks, `${folder}.lock`);

  async function tried(path: string): Promise<(() => Promise<void>) | undefined> {
    try {
      return await lock(path, {
        realpath: false,
        lockfilePath: path,
        stale: STALE_MS,
        update: UPDATE_MS,
        retries: 0,
        onCompromised: (error) => onTrouble(path, error),
      });
    } catch (error) {
      if (hasCode(error, "ELOCKED")) return undefined;
      if (hasCode(error, "ENOENT") && madeAgain(locks, folderMode)) return undefined; // the caller tries again
      throw error;
    }
  }

  return {
    async acquire(folder, patienceMs) {
      const path = pathOf(folder);
      const deadline = performance.now() + patienceMs;
      for (;;) {
        const release = await tried(path);
        if (release !== undefined)
          return { release: () => release().catch((error) => onTrouble(path, error)) };
        if (performance.now() >= deadline) return undefined;
        await delay(1 + Math.random() * (LONGEST_PAUSE_MS - 1));
      }
    },
    present(folder) {
      const stat = fs.statSync(pathOf(folder), { bigint: true, throwIfNoEntry: false });
      return stat === undefined ? undefined : `${stat.ino} ${stat.birthtimeNs}`;
    },
  };
}

/** Makes a removed folder of locks again. Not its parents: where the whole store is gone, nothing is made. */
function madeAgain(locks: string, mode: number): boolean {
  try {
    fs.mkdirSync(locks, { mode });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return true; // by another process, just now
    throw error;
  }
}
