import { type ErrorCode, SessionError } from "@sessions/protocol";

/** What any store may answer while others write, are killed, and fill the disk. */
const ALWAYS: readonly ErrorCode[] = [
  "TURN_BUSY",
  "TURN_LOST",
  "STORE_BUSY",
  "STORE_FULL",
  "REVISION_CONFLICT",
  "SESSION_NOT_FOUND", // the session of this moment may not have been made yet
];

/** Whether a call may fail like this; anything else is a finding. */
export function isTolerable(error: unknown, more: readonly ErrorCode[]): boolean {
  return isEach(error, (one) => SessionError.is(one, ...ALWAYS, ...more));
}

/** Of both errors of a turn that failed and could not be ended either; of any other error itself. */
export function isEach(error: unknown, isOne: (error: unknown) => boolean): boolean {
  return error instanceof AggregateError ? error.errors.every((one) => isEach(one, isOne)) : isOne(error);
}

/** An error with its causes, for a person. */
export function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? `${error.code}: ` : "";
  const cause = error.cause === undefined ? "" : ` ← ${inWords(error.cause)}`;
  const where = SessionError.is(error) ? "" : `\n${error.stack}`;
  const inner = error instanceof AggregateError ? ` [${error.errors.map(inWords).join("; ")}]` : "";
  return `${code}${error.message}${where}${inner}${cause}`;
}
