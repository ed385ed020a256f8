import type { SessionError } from "../errors/session-error.js";
import type { Json } from "../json/json.js";

/** Accepted. The revision rose by one, except for a pure renewal. */
interface Applied {
  readonly status: "applied";
  readonly revision: number;
  /** The store's time of the commit: the `createdAt` of messages that had none. */
  readonly at: number;
  /** Messages that the session held already, by id. */
  readonly skipped?: readonly string[];
}

/** This commit id was applied before: what was said then. */
export interface Duplicate {
  readonly status: "duplicate";
  readonly revision: number;
  readonly at: number;
  readonly skipped?: readonly string[];
  readonly receipt?: Json;
}

/** Nothing to change, nothing written. `revision` is 0 where there is no session. */
interface Unchanged {
  readonly status: "unchanged";
  readonly revision: number;
  readonly at: number;
  readonly skipped?: readonly string[];
  /** The turn id that a `begin` named has finished before. */
  readonly finished?: string;
}

/** Refused. Nothing was changed. */
interface Rejected {
  readonly status: "rejected";
  readonly error: SessionError;
}

/** What became of one commit request. */
export type CommitOutcome = Applied | Duplicate | Unchanged | Rejected;
