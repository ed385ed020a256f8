import { type ErrorCode, SessionError } from "@sessions/protocol";

/** Codes that every store may answer while other processes write, are killed, and fill the disk. */
const ALWAYS: readonly ErrorCode[] = [
  "TURN_BUSY",
  "TURN_LOST",
  "STORE_BUSY",
  "STORE_FULL",
  "REVISION_CONFLICT",
  "SESSION_NOT_FOUND", // no process may have created the session of this time slice yet
];

/** Whether a call may fail like this. Any other error is a finding. */
export function isExpectedError(error: unknown, more: readonly ErrorCode[]): boolean {
  return isEach(error, (one) => SessionError.is(one, ...ALWAYS, ...more));
}

/** Checks both errors of a turn that failed and could not be ended either. Any other error is checked itself. */
export function isEach(error: unknown, isOne: (error: unknown) => boolean): boolean {
  return error instanceof AggregateError ? error.errors.every((one) => isEach(one, isOne)) : isOne(error);
}

/** An error with its causes as text. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? `${error.code}: ` : "";
  const cause = error.cause === undefined ? "" : ` ← ${describeError(error.cause)}`;
  const where = SessionError.is(error) ? "" : `\n${error.stack}`;
  const inner = error instanceof AggregateError ? ` [${error.errors.map(describeError).join("; ")}]` : "";
  return `${code}${error.message}${where}${inner}${cause}`;
}
