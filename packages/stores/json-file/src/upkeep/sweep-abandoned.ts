import { join } from "node:path";
import { DanglingLink } from "../engine/dangling-link.js";
import type { FileSystem } from "../engine/file-system.js";

/** Preparing takes milliseconds. After this long, the process that began it has died. */
const ABANDONED_MS = 3_600_000;

/**
 * Removes what killed processes were preparing. It is renamed first, at once and as a whole: a process that
 * was only paused finds nothing to move into place, and starts again.
 */
export function sweepAbandoned(tmp: string, fileSystem: FileSystem, now: number): void {
  for (const name of fileSystem.list(tmp)) {
    const path = join(tmp, name);
    const changedAt = changeOf(path, fileSystem);
    if (changedAt === undefined || changedAt > now - ABANDONED_MS) continue;
    const dead = `${path}.dead`;
    if (fileSystem.move(path, dead) === "moved") fileSystem.remove(dead);
  }
}

function changeOf(path: string, fileSystem: FileSystem): number | undefined {
  try {
    return fileSystem.stat(path)?.changedAt;
  } catch (error) {
    if (error instanceof DanglingLink) return 0; // the store prepares nothing by links
    throw error;
  }
}
