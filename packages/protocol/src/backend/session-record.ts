import type { Message } from "../message/message.js";
import type { SessionSummary } from "../session/session.js";

/** When a lease is over. */
interface LeaseEnd {
  /** By the wall clock of its last renewal: for people, it decides nothing. */
  readonly expiresAt: number;
  /** The clock that decides, and the time on it. Absent in leases that were written before leases had a clock. */
  readonly domain?: string;
  readonly until?: number;
}

/** The lease on a session. */
export interface TurnState extends LeaseEnd {
  readonly turnId: string;
  /** `<revision>.<nonce>`: greater revisions are later turns. */
  readonly token: string;
  readonly owner?: string;
  readonly ttlMs: number;
  readonly startedAt: number;
  readonly renewals: number;
  readonly interrupted?: boolean;
}

/** A place in the queue for a turn. */
export interface Ticket extends LeaseEnd {
  readonly ticket: string;
  readonly turnId: string;
  readonly owner?: string;
  readonly ttlMs: number;
  readonly queuedAt: number;
  readonly renewals: number;
}

/** What a backend reads of one session, at one revision. */
export interface SessionRecord extends Omit<SessionSummary, "turn"> {
  /** Those that were selected, in order. */
  readonly messages: readonly Message[];
  /** The revision that added each of `messages`; only where it was asked for. */
  readonly revisions?: readonly number[];
  /** The revision of the last commit that removed, replaced, updated or restored messages; 0 if none has. */
  readonly rewrittenAt: number;
  /** Ids of the live messages that are still being written, oldest first. */
  readonly partials: readonly string[];
  readonly turn?: TurnState;
  /** In order of arrival; expired tickets may still be among them. */
  readonly queue: readonly Ticket[];
}
