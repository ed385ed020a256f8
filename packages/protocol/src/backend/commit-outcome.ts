import type { SessionError } from "../errors/session-error.js";
import type { Json } from "../json/json.js";

/** The commit was applied. The revision rose by one, unless the commit only renewed a turn or a ticket. */
interface Applied {
  readonly status: "applied";
  readonly revision: number;
  /** The store's time of the commit: the `createdAt` of messages that had none. */
  readonly at: number;
  /** Ids of messages in the request that the session had already. */
  readonly skipped?: readonly string[];
}

/** This commit id was applied before: the result of that time. */
export interface Duplicate {
  readonly status: "duplicate";
  readonly revision: number;
  readonly at: number;
  readonly skipped?: readonly string[];
  readonly receipt?: Json;
}

/** There was nothing to change, and nothing was written. `revision` is 0 if there is no session. */
interface Unchanged {
  readonly status: "unchanged";
  readonly revision: number;
  readonly at: number;
  readonly skipped?: readonly string[];
  /** The turn id of a `begin` that has completed before. */
  readonly finished?: string;
}

/** Refused. Nothing was changed. */
interface Rejected {
  readonly status: "rejected";
  readonly error: SessionError;
}

/** The outcome of one commit request. */
export type CommitOutcome = Applied | Duplicate | Unchanged | Rejected;
