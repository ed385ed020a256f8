import { type ErrorCode, SessionError } from "@sessions/protocol";

/** What the process ends with. Documented and stable: scripts go by these. */
export const EXIT = {
  ok: 0,
  /** Something went wrong that has no code of its own. */
  failed: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** There is no such session, message, snapshot or archive. */
  notFound: 3,
  /** Damage was found, or two stores are not equal. */
  damaged: 4,
  /** Nothing was done: it exists already, somebody else is at work on it, or it was not confirmed. */
  refused: 5,
  /** The store cannot be reached or used now. */
  unavailable: 6,
} as const;

const CODES: Readonly<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: EXIT.usage,
  SESSION_NOT_FOUND: EXIT.notFound,
  MESSAGE_NOT_FOUND: EXIT.notFound,
  SNAPSHOT_NOT_FOUND: EXIT.notFound,
  ARCHIVE_NOT_FOUND: EXIT.notFound,
  SESSION_CORRUPTED: EXIT.damaged,
  DATA_LOST: EXIT.damaged,
  SESSION_EXISTS: EXIT.refused,
  REVISION_CONFLICT: EXIT.refused,
  COMMIT_ID_REUSED: EXIT.refused,
  MESSAGE_ID_TAKEN: EXIT.refused,
  TURN_BUSY: EXIT.refused,
  TURN_LOST: EXIT.refused,
  TOO_LARGE: EXIT.refused,
  FORMAT_UNSUPPORTED: EXIT.unavailable,
  STORE_BUSY: EXIT.unavailable,
  STORE_UNAVAILABLE: EXIT.unavailable,
  STORE_FULL: EXIT.unavailable,
  STORE_CLOSED: EXIT.unavailable,
  OUTCOME_UNKNOWN: EXIT.unavailable,
};

/** An end that is not a store's error: what to tell, and the exit code. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The exit code for whatever a command threw. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  return SessionError.is(error) ? CODES[error.code] : EXIT.failed;
}
