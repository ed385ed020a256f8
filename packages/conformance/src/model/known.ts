import type { Message, SessionDocument, Ticket, TurnState } from "@sessions/protocol/backend";

/** What the sender of a request knows about a session, so that most requests hit something. */
export interface Known {
  /** All messages that the session holds. */
  readonly held: readonly Message[];
  readonly live: readonly Message[];
  readonly archiveIds: readonly string[];
  readonly snapshotNames: readonly string[];
  readonly turn: TurnState | undefined;
  readonly queue: readonly Ticket[];
  /** 0 where there is no session. */
  readonly revision: number;
  /** Every message id that was ever sent to the session. */
  readonly usedMessageIds: readonly string[];
  /** Tokens of turns that once were. */
  readonly usedTokens: readonly string[];
  /** Whole sessions, as they once were. */
  readonly documents: readonly SessionDocument[];
  /** The ids of all sessions that take part. */
  readonly sessionIds: readonly string[];
  /** When the sequence began, on the wall clock: what expired before is gone for every reader too. */
  readonly startedAt: number;
  newMessageId(): string;
  newName(kind: "archive" | "nonce" | "incarnation"): string;
}
