import type { CommitMemory, TurnMemory } from "@sessions/protocol/backend";
import type { Runs } from "@sessions/row-engine";

/** What is to be read of a session beside its state. */
export interface Wanted {
  readonly rows?: Runs | undefined;
  /** The rows that hold messages with these ids. */
  readonly ids?: readonly string[] | undefined;
  /** What is remembered of these commits. */
  readonly commits?: readonly string[] | undefined;
  readonly turns?: readonly string[] | undefined;
  /** All given commits, all finished turns. */
  readonly allCommits?: boolean | undefined;
  readonly allTurns?: boolean | undefined;
}

/** What was read of a session beside its state: true at one version and revision of it. */
export interface Lookups {
  readonly ids: ReadonlyMap<string, readonly number[]>;
  readonly commits: ReadonlyMap<string, string | undefined>;
  readonly turns: ReadonlyMap<string, string | undefined>;
  readonly allCommits: readonly CommitMemory[] | undefined;
  readonly allTurns: readonly TurnMemory[] | undefined;
}

export const NO_LOOKUPS: Lookups = {
  ids: new Map(),
  commits: new Map(),
  turns: new Map(),
  allCommits: undefined,
  allTurns: undefined,
};

export function mergedLookups(a: Lookups, b: Lookups): Lookups {
  return {
    ids: new Map([...a.ids, ...b.ids]),
    commits: new Map([...a.commits, ...b.commits]),
    turns: new Map([...a.turns, ...b.turns]),
    allCommits: b.allCommits ?? a.allCommits,
    allTurns: b.allTurns ?? a.allTurns,
  };
}
