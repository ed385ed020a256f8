import type { OptionNames } from "../arguments/options.js";
import type { Json } from "../json/json.js";
import type { Message } from "../message/message.js";

/** What every mutator takes. */
export interface MutationOptions {
  /** The idempotency key. The same call with the same key is applied once, and answered alike. */
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
   * When a call that is sent again was first made. If the session can no longer tell whether it was applied then, it
   * fails with OUTCOME_UNKNOWN; without this it would count as new.
   */
  readonly firstSentAt?: number | Date | undefined;
  /** Stands for the request when two calls with one `commitId` are compared. By default, what the caller gave. */
  readonly fingerprint?: Json | undefined;
  /** Takes the call back while it is still queued. Once sent it settles with its true outcome. */
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

/** The same, for changes that would take messages away from a running turn. */
export interface ForcibleOptions extends MutationOptions {
  /** Ends a turn of somebody else's instead of failing with TURN_BUSY. */
  readonly force?: boolean | undefined;
}

export const FORCIBLE_OPTIONS: OptionNames<ForcibleOptions> = { ...MUTATION_OPTIONS, force: true };

/** What every mutator returns. */
export interface MutationResult {
  /** The session's revision after the commit. */
  readonly revision: number;
  /** This was done before (same `commitId`), or there was nothing to do. */
  readonly duplicate: boolean;
  /** Those that were added, popped, or removed by id. A clear or a revert does not list what it took away. */
  readonly messages: Message[];
}

/** What every read takes. */
export interface ReadOptions {
  /** Stops waiting for the result. */
  readonly signal?: AbortSignal | undefined;
}

export const READ_OPTIONS: OptionNames<ReadOptions> = { signal: "signal" };
