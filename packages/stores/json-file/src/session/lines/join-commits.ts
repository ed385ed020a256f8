import { joined } from "./array-chunks.js";
import type { CommitEntry } from "./journal-line.js";

/** Commits with what stands in the part lines before them. `undefined` if some of that is missing. */
export function joinedCommits(
  commits: readonly CommitEntry[],
  parts: readonly (readonly unknown[])[],
): readonly CommitEntry[] | undefined {
  // A write that was cut off may have left parts of its own before ours: ours are the last ones.
  let from = parts.length - commits.reduce((sum, commit) => sum + partsOf(commit), 0);
  if (from < 0) return undefined;
  const whole: CommitEntry[] = [];
  for (const commit of commits) {
    const entry = joined(commit, parts.slice(from, from + partsOf(commit)));
    if (entry === undefined) return undefined;
    from += partsOf(commit);
    whole.push(entry);
  }
  return whole;
}

function partsOf({ parts = [] }: CommitEntry): number {
  return parts.reduce((sum, [, count]) => sum + count, 0);
}
