import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Linux: three averages, then "<threads that run or want to>/<all threads>". */
const LOAD = "/proc/loadavg";

const TELLS = existsSync(LOAD);

/** Node collects garbage and compiles beside what it runs: one thread too many is no crowd. */
const OWN_HELPERS = 1;

/**
 * Whether more threads want to run just now, on the whole machine, than there are processors. Averages of seconds would come too late. Always
 * `false` where the system does not tell.
 */
export function isCrowded(read: () => string = () => readFileSync(LOAD, "latin1")): boolean {
  if (!TELLS) return false;
  try {
    return isCrowd(read(), availableParallelism());
  } catch {
    return true; // it has no file handle left, perhaps; to sleep is never wrong, and a hint must not end the process
  }
}

export function isCrowd(load: string, processors: number): boolean {
  return Number(/(\d+)\/\d+/.exec(load)?.[1] ?? 0) > processors + OWN_HELPERS;
}
