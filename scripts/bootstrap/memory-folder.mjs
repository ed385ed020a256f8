import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const GIB = 2 ** 30;

/** Many times what a whole run was seen to keep at once. */
const ROOM = 4 * GIB;

/** The folder is named after the process that made it, so that what a killed one left behind is known. */
const ours = /^sessions-test-(\d+)$/;

/**
 * Makes a folder for the temporary files of a run in memory: a disk's file system takes longer to make and remove files by the
 * ten thousand than most tests take. Answers nothing where `memory` is no file system with room, also as the machine's memory
 * goes.
 */
export function memoryFolder(memory = "/dev/shm", room = ROOM) {
  if (!existsSync(memory)) return undefined;
  sweep(memory);
  const { bavail, bsize } = statfsSync(memory);
  if (Math.min(bavail * bsize, process.availableMemory()) < room) return undefined;
  const path = join(memory, `sessions-test-${process.pid}`);
  // Some tests run a process as another user, who must reach the one folder that the test opens to it.
  mkdirSync(path, { mode: 0o711 });
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function sweep(memory) {
  for (const name of readdirSync(memory)) {
    const pid = ours.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(memory, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process is alive, and so is its folder.
    return error.code !== "ESRCH";
  }
}
