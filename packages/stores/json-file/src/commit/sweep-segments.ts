import type { JournalPlace } from "../session/journal-folder.js";
import type { Segment } from "../session/segment.js";
import { leftovers } from "./leftovers.js";

/**
 * Removes what a segment replaces, once its name is on the disk. A candidate goes only when its place is taken: one that is
 * merely old may belong to a paused rotation, which would seal to it when it goes on.
 *
 * Never throws: what the caller has waited for is on the disk. The next commit tries again.
 */
export function sweepSegments(place: JournalPlace, head: Segment): void {
  if (head.g === 1 || head.alone) return;
  try {
    for (const { name, g, segment } of place.contents()) {
      if (segment ? g < head.g : g <= head.g) place.context.fileSystem.remove(place.candidate(name));
    }
    head.alone = true;
  } catch (cause) {
    place.context.warnings.give(leftovers(place.folder, cause));
  }
}
