/**
 * What a call does to a session, as far as the checker needs to know. Message ids are used once in a whole log, so
 * that every message found later can be traced to the call that sent it.
 */
export type HistoryAction =
  /** Adds messages at the end of the live view. */
  | {
      readonly kind: "append";
      readonly ids: readonly string[];
      readonly commitId?: string;
      readonly fence?: string;
    }
  /** Adds `ids` anywhere, takes `removes` away and keeps all others: `setChatHistory` with `base`. */
  | {
      readonly kind: "insert";
      readonly ids: readonly string[];
      readonly removes?: readonly string[];
      readonly commitId?: string;
      readonly fence?: string;
    }
  /** Removes messages; `"all"`: whatever is there, as `deleteSession` and `clearSession` do. */
  | {
      readonly kind: "remove";
      readonly ids: readonly string[] | "all";
      readonly commitId?: string;
      readonly fence?: string;
    }
  /** From now on the session holds exactly these: `revertToSnapshot`. It may bring back what had been removed. */
  | {
      readonly kind: "restore";
      readonly ids: readonly string[];
      readonly commitId?: string;
      readonly fence?: string;
    }
  /** A commit that neither adds nor removes messages: metadata, counters, an archive, a snapshot. */
  | { readonly kind: "touch"; readonly commitId?: string; readonly fence?: string }
  /** Reads all that the session holds, archived messages first; `partial`: only some of it. */
  | { readonly kind: "read"; readonly partial?: boolean }
  | { readonly kind: "begin-turn"; readonly turnId: string; readonly ttlMs: number }
  /** Ends the turn of `fence`, for good if it `completes`; it may add messages in the same commit. */
  | {
      readonly kind: "end-turn";
      readonly fence: string;
      readonly completes: boolean;
      readonly ids?: readonly string[];
    }
  /** Ends somebody else's turn, or asks it to end itself. */
  | { readonly kind: "interrupt-turn" };

/** What an accepted call was told. */
export interface HistoryResult {
  /** The session's revision: after a commit, or of what was read. Absent where the call does not tell (a deletion). */
  readonly revision?: number;
  /** Nothing was done: it had been done before, or there was nothing to do. */
  readonly duplicate?: boolean;
  /** What a read returned, in order. */
  readonly ids?: readonly string[];
  /** The token of a turn that has begun. */
  readonly token?: string;
}

/** Every event of a log. Times are microseconds of a clock that only grows and that all processes share. */
interface EventBase {
  readonly process: string;
  /** Together with `process` it names one call. */
  readonly call: number;
  readonly at: number;
}

/** A call is about to be made. */
export interface Invoked extends EventBase {
  readonly type: "invoke";
  readonly session: string;
  readonly action: HistoryAction;
}

/** It was acknowledged. */
export interface Succeeded extends EventBase {
  readonly type: "ok";
  readonly result: HistoryResult;
}

/** It was refused: nothing of it may ever be seen. */
export interface Failed extends EventBase {
  readonly type: "fail";
  readonly code: string;
}

/** Nobody knows: OUTCOME_UNKNOWN, or the process died. A call without a second event counts as this too. */
export interface Unknown extends EventBase {
  readonly type: "unknown";
}

/** One line of a log. */
export type HistoryEvent = Invoked | Succeeded | Failed | Unknown;

/** What a log shows to have gone wrong. */
export type ViolationKind =
  /** Acknowledged, never removed, and not there. */
  | "lost"
  /** There twice, or one commit id applied twice. */
  | "doubled"
  /** Never sent, or refused, and there all the same. */
  | "invented"
  /** Removed, acknowledged as removed, and there again. */
  | "resurrected"
  /** No single order explains what the readers saw. */
  | "order"
  /** A read that does not show what was acknowledged before it began. */
  | "stale-read"
  /** A revision that was given twice, or went back. */
  | "revision"
  /** A turn began while another one was held. */
  | "two-turns"
  /** The holder of an older turn wrote after a newer turn had begun. */
  | "fence"
  /** The log itself contradicts itself: an answer without a call, two answers to one call. */
  | "malformed";

/** One contradiction between a log and the contract. */
export interface Violation {
  readonly kind: ViolationKind;
  readonly session: string;
  /** What was seen, in a sentence. */
  readonly detail: string;
}
