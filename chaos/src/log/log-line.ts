import type { HistoryEvent } from "@sessions/conformance/multi-process";
import type { TurnLine } from "../turns/turn-line.js";

/** A listing of all sessions. */
export interface Listed {
  readonly type: "listed";
  readonly process: string;
  readonly invokedAt: number;
  readonly at: number;
  readonly sessions: readonly string[];
}

/** A change that a watcher of the whole store received. Each worker slot has one watcher, which its next life resumes. */
export interface Fed {
  readonly type: "fed";
  readonly watcher: number;
  readonly at: number;
  readonly session: string;
  readonly revision: number;
  readonly cursor: string;
}

/** What the audit found about a session, besides its messages. */
export interface Audited {
  readonly type: "audited";
  readonly session: string;
  /** The time of the audit. */
  readonly revision: number;
  /** Findings of `verify`. Empty if the session is sound. */
  readonly harm: readonly string[];
  /** How many commits with a commit id were applied. */
  readonly applied: number;
}

/** An answer that no store may give, or a failure of the worker itself. */
export interface Surprise {
  readonly type: "surprise";
  readonly process: string;
  readonly at: number;
  readonly session: string;
  readonly detail: string;
}

/** One line of a log. */
export type LogLine = HistoryEvent | Listed | Fed | Audited | Surprise | TurnLine;
