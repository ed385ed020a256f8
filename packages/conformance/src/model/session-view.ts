import type { Message, SessionDocument, Ticket, TurnState } from "@sessions/protocol/backend";

/** What the sender of a request knows about a session, so that most requests have an existing target. */
export interface SessionView {
  /** All messages of the session, archived ones first. */
  readonly messages: readonly Message[];
  readonly live: readonly Message[];
  readonly archiveIds: readonly string[];
  readonly snapshotNames: readonly string[];
  readonly turn: TurnState | undefined;
  readonly queue: readonly Ticket[];
  /** 0 if there is no session. */
  readonly revision: number;
  /** Every message id that was sent to the session. */
  readonly usedMessageIds: readonly string[];
  /** Tokens of current and former turns. */
  readonly usedTokens: readonly string[];
  /** Earlier states of sessions. */
  readonly documents: readonly SessionDocument[];
  /** The ids of all sessions of the sequence. */
  readonly sessionIds: readonly string[];
  /** The wall-clock time at which the sequence began. */
  readonly startedAt: number;
  newMessageId(): string;
  newName(kind: "archive" | "nonce" | "incarnation"): string;
}
