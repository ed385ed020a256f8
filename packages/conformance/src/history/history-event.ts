/**
 * What a call does to a session, as far as the checker needs it. A message id is used once in a whole log, so that every
 * message can be traced to the call that sent it.
 */
export type HistoryAction =
  /** Adds messages at the end of the live view. */
  | {
      readonly kind: "append";
      readonly ids: readonly string[];
      readonly commitId?: string;
      readonly fence?: string;
    }
  /** Adds `ids` anywhere, removes `removes` and keeps all others: `setChatHistory` with `base`. */
  | {
      readonly kind: "insert";
      readonly ids: readonly string[];
      readonly removes?: readonly string[];
      readonly commitId?: string;
      readonly fence?: string;
    }
  /** Removes messages; `"all"`: all that are there, as `deleteSession` and `clearSession` do. */
  | {
      readonly kind: "remove";
      readonly ids: readonly string[] | "all";
      readonly commitId?: string;
      readonly fence?: string;
    }
  /** The session then has exactly these messages: `revertToSnapshot`. It may restore removed messages. */
  | {
      readonly kind: "restore";
      readonly ids: readonly string[];
      readonly commitId?: string;
      readonly fence?: string;
    }
  /** A commit that neither adds nor removes messages: metadata, counters, an archive, a snapshot. */
  | { readonly kind: "touch"; readonly commitId?: string; readonly fence?: string }
  /** Reads all messages of the session, archived ones first; `partial`: only some of them. */
  | { readonly kind: "read"; readonly partial?: boolean }
  | { readonly kind: "begin-turn"; readonly turnId: string; readonly ttlMs: number }
  /** Ends the turn of `fence`; it can run again unless it `completes`. It may add messages in the same commit. */
  | {
      readonly kind: "end-turn";
      readonly fence: string;
      readonly completes: boolean;
      readonly ids?: readonly string[];
    }
  /** Ends the turn of another caller, or asks it to end. */
  | { readonly kind: "interrupt-turn" };

/** The result of an accepted call. */
export interface HistoryResult {
  /** The session's revision after a commit, or of what was read. Absent if the call does not return it (a deletion). */
  readonly revision?: number;
  /** Nothing was changed: the commit had been applied before, or there was nothing to change. */
  readonly duplicate?: boolean;
  /** The ids of the messages that a read returned, in order. */
  readonly ids?: readonly string[];
  /** The token of a begun turn. */
  readonly token?: string;
}

/** Every event of a log. Times are microseconds of a monotonic clock that all processes share. */
interface EventBase {
  readonly process: string;
  /** The number of the call. Together with `process` it identifies one call. */
  readonly call: number;
  readonly at: number;
}

/** A call is about to be made. */
export interface Invoked extends EventBase {
  readonly type: "invoke";
  readonly session: string;
  readonly action: HistoryAction;
}

/** The call was acknowledged. */
export interface Succeeded extends EventBase {
  readonly type: "ok";
  readonly result: HistoryResult;
}

/** The call was refused: it must have no effect. */
export interface Failed extends EventBase {
  readonly type: "fail";
  readonly code: string;
}

/** The outcome is unknown: OUTCOME_UNKNOWN, or the process died. A call without a second event counts as this too. */
export interface Unknown extends EventBase {
  readonly type: "unknown";
}

/** One line of a log. */
export type HistoryEvent = Invoked | Succeeded | Failed | Unknown;

/** The kinds of contradiction between a log and the contract. */
export type ViolationKind =
  /** A message was acknowledged, never removed, and is absent. */
  | "lost"
  /** A message is there twice, or one commit id was applied twice. */
  | "doubled"
  /** A message is there that was never sent, or was refused. */
  | "invented"
  /** A message is there whose removal was acknowledged. */
  | "resurrected"
  /** No single order of messages fits all reads. */
  | "order"
  /** A read does not show what was acknowledged before it began. */
  | "stale-read"
  /** Two commits have one revision, or a revision went back. */
  | "revision"
  /** A turn began while another one ran. */
  | "two-turns"
  /** The holder of an older turn wrote after a newer turn had begun. */
  | "fence"
  /** The log contradicts itself: an answer without a call, two answers to one call. */
  | "malformed";

/** One contradiction between a log and the contract. */
export interface Violation {
  readonly kind: ViolationKind;
  readonly session: string;
  /** A sentence about what was seen. */
  readonly detail: string;
}
