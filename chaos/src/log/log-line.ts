import type { HistoryEvent } from "@sessions/conformance/multi-process";
import type { TurnLine } from "../turns/turn-line.js";

/** A listing of all sessions. */
export interface Listing {
  readonly type: "listed";
  readonly process: string;
  readonly invokedAt: number;
  readonly at: number;
  readonly sessions: readonly string[];
}

/** A change that a watcher of the whole store received. Each worker slot has one watcher, which a restarted worker resumes. */
export interface ReceivedChange {
  readonly type: "change-received";
  readonly watcher: number;
  readonly at: number;
  readonly session: string;
  readonly revision: number;
  readonly cursor: string;
}

/** The state of a session after the run, without its messages. */
export interface FinalState {
  readonly type: "final-state";
  readonly session: string;
  readonly revision: number;
  /** Findings of `verify`. Empty if the session is sound. */
  readonly harm: readonly string[];
  /** How many commits with a commit id were applied. */
  readonly applied: number;
}

/** An error that no store may throw, or a failure of the worker itself. */
export interface UnexpectedError {
  readonly type: "unexpected-error";
  readonly process: string;
  readonly at: number;
  readonly session: string;
  readonly detail: string;
}

/** One line of a log. */
export type LogLine = HistoryEvent | Listing | ReceivedChange | FinalState | UnexpectedError | TurnLine;
