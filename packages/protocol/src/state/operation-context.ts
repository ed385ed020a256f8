import type { CommitRequest } from "../backend/commit-request.js";
import type { ErrorCode, ErrorDetails } from "../errors/error-details.js";
import type { SessionErrorOf } from "../errors/session-error.js";
import { SessionError } from "../errors/session-error.js";
import { merged } from "../json/own-properties.js";
import type { Message, MessageDraft } from "../message/message.js";
import type { LiveState } from "./session-state.js";

/** What an operation needs to know of the commit that it is part of. */
export interface OperationContext extends Pick<CommitRequest, "leaseTime" | "unchangedLeases"> {
  readonly sessionId: string;
  readonly at: number;
  /** The revision that the commit will have. */
  readonly revision: number;
  readonly fence: string | undefined;
  /** Collects ids of messages that the session held already. */
  readonly skipped: string[];
  /** Set by an operation that removes, replaces, updates or restores messages: no merge goes past such a commit. */
  rewrites: boolean;
}

/** One operation: the next state, or the same one if there is nothing to do. Throws a `SessionError` to refuse. */
export type ApplyOperation<Op> = (state: LiveState, op: Op, context: OperationContext) => LiveState;

/** A refusal, with the session's id in it. */
export function refusal<Code extends ErrorCode>(
  context: Pick<OperationContext, "sessionId">,
  code: Code,
  message: string,
  details: ErrorDetails[Code],
): SessionErrorOf<Code> {
  return SessionError.of(code, message, { ...details, sessionId: context.sessionId });
}

/** A draft with its time: the caller's, else `createdAt`. A draft that has one is returned as it is: stores know its row. */
export function withCreatedAt(draft: MessageDraft, createdAt: number): Message {
  return isTimed(draft) ? draft : merged(draft, { createdAt });
}

/** The same as an object of its own, for callers: what they do to it must not reach the session. */
export function copyWithCreatedAt(draft: MessageDraft, createdAt: number): Message {
  return merged(draft, { createdAt: draft.createdAt ?? createdAt });
}

function isTimed(draft: MessageDraft): draft is MessageDraft & Message {
  return draft.createdAt !== undefined;
}
