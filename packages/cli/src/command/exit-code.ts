import { type ErrorCode, SessionError } from "@sessions/protocol";

/** The exit codes. They are documented and stable, because scripts depend on them. */
export const EXIT = {
  ok: 0,
  /** A failure without a code of its own. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The session, message, snapshot or archive does not exist. */
  notFound: 3,
  /** Damage was found, or two stores differ. */
  damaged: 4,
  /** Nothing was done: it exists already, another process works on it, or the user has not confirmed. */
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
  SCHEMA_MISMATCH: EXIT.damaged,
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

/** An error with an exit code that does not come from a store. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The exit code for an error of a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  return SessionError.is(error) ? CODES[error.code] : EXIT.failed;
}
