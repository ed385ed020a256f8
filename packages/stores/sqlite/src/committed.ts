import type { CommitOutcome } from "@sessions/protocol/backend";

/** What the requests of a transaction came to. */
export interface Committed {
  readonly outcomes: readonly CommitOutcome[];
  readonly hasWritten: boolean;
  /** To be called once it is committed: until then none of it has happened. */
  remember(): void;
}
