import type { OptionNames } from "../arguments/options.js";
import type { Json } from "../json/json.js";
import type { Message } from "../message/message.js";

/** The options of every method that changes a session. */
export interface MutationOptions {
  /** The idempotency key. The same call with the same key is applied once, and every repeat returns the first result. */
  readonly commitId?: string | undefined;
  /** Only if the session is at this revision, else REVISION_CONFLICT. */
  readonly ifRevision?: number | undefined;
  /** Only if the session does not exist, else SESSION_EXISTS. */
  readonly ifAbsent?: boolean | undefined;
  /** Only while no turn runs, else TURN_BUSY. */
  readonly ifIdle?: boolean | undefined;
  /** The token of the turn that the writer holds, else TURN_LOST. */
  readonly fence?: string | undefined;
  /**
   * When a repeated call was first made. The call fails with OUTCOME_UNKNOWN if the session can no longer tell whether
   * it was applied then. Without this option it would count as new.
   */
  readonly firstSentAt?: number | Date | undefined;
  /** Represents the request when two calls with one `commitId` are compared. @default the arguments of the call */
  readonly fingerprint?: Json | undefined;
  /** Cancels the call while it is still queued. Once sent, it settles with its true outcome. */
  readonly signal?: AbortSignal | undefined;
}

export const MUTATION_OPTIONS: OptionNames<MutationOptions> = {
  commitId: true,
  ifRevision: true,
  ifAbsent: true,
  ifIdle: true,
  fence: true,
  firstSentAt: true,
  fingerprint: true,
  signal: "signal",
};

/** The options of changes that may remove messages from under a running turn. */
export interface ForcibleOptions extends MutationOptions {
  /** Ends another holder's turn instead of failing with TURN_BUSY. */
  readonly force?: boolean | undefined;
}

export const FORCIBLE_OPTIONS: OptionNames<ForcibleOptions> = { ...MUTATION_OPTIONS, force: true };

/** The result of every method that changes a session. */
export interface MutationResult {
  /** The session's revision after the commit. */
  readonly revision: number;
  /** The commit was applied before (same `commitId`), or there was nothing to do. */
  readonly duplicate: boolean;
  /** The messages that were added, popped, or removed by id. A clear or a revert does not list the removed messages. */
  readonly messages: Message[];
}

/** The options of every read. */
export interface ReadOptions {
  /** Stops waiting for the result. */
  readonly signal?: AbortSignal | undefined;
}

export const READ_OPTIONS: OptionNames<ReadOptions> = { signal: "signal" };
