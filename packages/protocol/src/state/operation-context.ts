import type { CommitRequest } from "../backend/commit-request.js";
import type { ErrorCode, ErrorDetails } from "../errors/error-details.js";
import { SessionError, type SessionErrorOf } from "../errors/session-error.js";
import type { LiveState } from "./session-state.js";

/** The commit that an operation is part of. */
export interface OperationContext extends Pick<CommitRequest, "leaseTime" | "unchangedLeases"> {
  readonly sessionId: string;
  readonly at: number;
  /** The revision after the commit. */
  readonly revision: number;
  readonly fence: string | undefined;
  /** Operations add the ids of messages that the session already contains. */
  readonly skipped: string[];
  /**
   * Set by an operation that removes, replaces, updates or restores messages. No merge base may be older than such a
   * commit.
   */
  rewrites: boolean;
}

/**
 * Applies one operation. Returns the next state, or the same one if there is nothing to do. Throws a `SessionError` to
 * refuse.
 */
export type ApplyOperation<Op> = (state: LiveState, op: Op, context: OperationContext) => LiveState;

/** An error with the id of the session. */
export function refusal<Code extends ErrorCode>(
  context: Pick<OperationContext, "sessionId">,
  code: Code,
  message: string,
  details: ErrorDetails[Code],
): SessionErrorOf<Code> {
  return SessionError.of(code, message, { ...details, sessionId: context.sessionId });
}
