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
 * Keeps writers polite: who has much to write, or keeps losing, asks the others to wait. It is not what makes the
 * store safe, and could not be: a holder that sleeps past staleness wakes up and takes the lock of its thief away.
 */
export interface FileLock {
  /** `undefined` if somebody else kept it for so long. */
  acquire(folder: string, patienceMs: number): Promise<HeldLock | undefined>;
  /** The name of the lock that is there, if any. Each lock has another name. */
  present(folder: string): string | undefined;
}

/** A holder that has not shown itself for this long has died, or sleeps. */
const STALE_MS = 10_000;
const UPDATE_MS = 2_000;
/** How long to wait before looking again, at random, so that nobody is always the second. */
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

/** Somebody has removed the folder of locks. Without its parents: where the whole store is gone nothing is made. */
function madeAgain(locks: string, mode: number): boolean {
  try {
    fs.mkdirSync(locks, { mode });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return true; // by another process, just now
    throw error;
  }
}
