import type { JournalFolder } from "../session/journal-folder.js";
import type { Segment } from "../session/segment.js";
import { leftovers } from "./leftovers.js";

/**
 * Removes what a segment replaces, once its name is on the disk. A candidate goes only when its place is taken: an old one
 * may belong to a paused rotation, which would seal to it when it continues.
 *
 * Never throws: what the caller has waited for is on the disk. The next commit tries again.
 */
export function sweepSegments(folder: JournalFolder, head: Segment): void {
  if (head.isSwept) return;
  try {
    for (const { name, g, isSegment } of folder.contents()) {
      if (isSegment ? g < head.g : g <= head.g) folder.context.fileSystem.remove(folder.candidate(name));
    }
    head.isSwept = true;
  } catch (cause) {
    folder.context.warnings.give(leftovers(folder.path, cause));
  }
}
