import type { Message } from "../message/message.js";
import type { SessionSummary } from "../session/session.js";

/** The lease on a session. */
export interface TurnState {
  readonly turnId: string;
  /** `<revision>.<nonce>`: greater revisions are later turns. */
  readonly token: string;
  readonly owner?: string;
  readonly ttlMs: number;
  readonly startedAt: number;
  readonly expiresAt: number;
  readonly renewals: number;
  readonly interrupted?: boolean;
}

/** A place in the queue for a turn. */
export interface Ticket {
  readonly ticket: string;
  readonly turnId: string;
  readonly owner?: string;
  readonly ttlMs: number;
  readonly queuedAt: number;
  readonly expiresAt: number;
  readonly renewals: number;
}

/** What a backend reads of one session, at one revision. */
export interface SessionRecord extends Omit<SessionSummary, "turn"> {
  /** Those that were selected, in order. */
  readonly messages: readonly Message[];
  /** The revision that added each of `messages`; only where it was asked for. */
  readonly revisions?: readonly number[];
  /** Ids of the live messages that are still being written, oldest first. */
  readonly partials: readonly string[];
  readonly turn?: TurnState;
  /** In order of arrival; expired tickets may still be among them. */
  readonly queue: readonly Ticket[];
}
