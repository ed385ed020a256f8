import { SessionError } from "../errors/session-error.js";

/** The commit that has been made. */
interface Made {
  readonly sessionId: string;
  /** What makes the same call again safe: its commit id, or the id of its turn. */
  readonly commitId: string;
}

/**
 * Does what is left of a call whose commit has been made; once more if it fails, because the caller wants what was committed.
 * A failure here is OUTCOME_UNKNOWN: with any other code the caller would take it that nothing has changed.
 */
export async function afterCommit<Result>(
  { sessionId, commitId }: Made,
  rest: () => Promise<Result>,
): Promise<Result> {
  try {
    return await rest().catch(rest);
  } catch (cause) {
    if (SessionError.is(cause, "OUTCOME_UNKNOWN", "DATA_LOST")) throw cause;
    const message = `"${commitId}" was committed, but what follows it failed; see the cause. The same call with this id is safe and tells.`;
    throw SessionError.of("OUTCOME_UNKNOWN", message, { commitId, sessionId, cause });
  }
}
