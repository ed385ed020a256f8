import { joinArrays } from "./array-chunks.js";
import type { CommitEntry } from "./journal-line.js";

/** Commits with the arrays that stand in the chunk lines before them. `undefined` if chunks are missing. */
export function joinCommits(
  commits: readonly CommitEntry[],
  chunks: readonly (readonly unknown[])[],
): readonly CommitEntry[] | undefined {
  // A write that was cut off may have left chunks before these: the last ones belong to these commits.
  let from = chunks.length - commits.reduce((sum, commit) => sum + chunksOf(commit), 0);
  if (from < 0) return undefined;
  const whole: CommitEntry[] = [];
  for (const commit of commits) {
    const entry = joinArrays(commit, chunks.slice(from, from + chunksOf(commit)));
    if (entry === undefined) return undefined;
    from += chunksOf(commit);
    whole.push(entry);
  }
  return whole;
}

function chunksOf({ parts = [] }: CommitEntry): number {
  return parts.reduce((sum, [, count]) => sum + count, 0);
}
