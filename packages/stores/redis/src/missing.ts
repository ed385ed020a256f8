/** What is not in memory yet. */
export interface Wanted {
  readonly rows?: readonly number[];
  /** Fields of the session's hash. */
  readonly fields?: readonly string[];
  /** Fields of its window. */
  readonly memories?: readonly string[];
  /** All given commits, all finished turns. */
  readonly givenCommits?: boolean | undefined;
  readonly finishedTurns?: boolean | undefined;
}

/** Thrown where a decision needs what was not read: it is read, and the decision is made anew. */
export class Missing extends Error {
  readonly wanted: Wanted;

  constructor(wanted: Wanted) {
    super("has to be read first");
    this.wanted = wanted;
  }
}
