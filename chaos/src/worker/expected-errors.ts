import { type ErrorCode, SessionError } from "@sessions/protocol";

/** Codes that any store may throw while other processes write, workers are killed and the disk is full. */
const EXPECTED_CODES: readonly ErrorCode[] = [
  "TURN_BUSY",
  "TURN_LOST",
  "STORE_BUSY",
  "STORE_FULL",
  "REVISION_CONFLICT",
  "SESSION_NOT_FOUND", // maybe no process has created the session of this time slice yet
];

/** Whether a call may fail with this error. Any other error is a finding. */
export function isExpectedError(error: unknown, more: readonly ErrorCode[]): boolean {
  return isEach(error, (one) => SessionError.is(one, ...EXPECTED_CODES, ...more));
}

/** Checks each error of an AggregateError, which a turn throws that failed and could not be ended. Checks any other error itself. */
export function isEach(error: unknown, isOne: (error: unknown) => boolean): boolean {
  return error instanceof AggregateError ? error.errors.every((one) => isEach(one, isOne)) : isOne(error);
}

/** An error with its causes as text. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? `${error.code}: ` : "";
  const cause = error.cause === undefined ? "" : ` ← ${describeError(error.cause)}`;
  const stack = SessionError.is(error) ? "" : `\n${error.stack}`;
  const inner = error instanceof AggregateError ? ` [${error.errors.map(describeError).join("; ")}]` : "";
  return `${code}${error.message}${stack}${inner}${cause}`;
}
