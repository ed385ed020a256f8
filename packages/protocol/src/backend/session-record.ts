import type { Message } from "../message/message.js";
import type { SessionSummary } from "../session/session.js";

/** When a lease is over. */
interface LeaseEnd {
  /** By the wall clock of the last renewal. For information only. */
  readonly expiresAt: number;
  /** The clock that decides, and the time on it. Absent in leases of versions that had no lease clock. */
  readonly domain?: string;
  readonly until?: number;
}

/** The lease on a session. */
export interface TurnState extends LeaseEnd {
  readonly turnId: string;
  /** `<revision>.<nonce>`: a later turn has a greater revision. */
  readonly token: string;
  readonly owner?: string;
  readonly ttlMs: number;
  readonly startedAt: number;
  readonly renewals: number;
  readonly interrupted?: boolean;
}

/** A waiter in the queue for a turn. */
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
  /** The selected messages, in order. */
  readonly messages: readonly Message[];
  /** The revision that added each of `messages`, if the selection asks for it. */
  readonly revisions?: readonly number[];
  /** The revision of the last commit that removed, replaced, updated or restored messages; 0 if there was none. */
  readonly rewrittenAt: number;
  /** Ids of the live messages that are still being written, oldest first. */
  readonly partials: readonly string[];
  readonly turn?: TurnState;
  /** In order of arrival. It may contain expired tickets. */
  readonly queue: readonly Ticket[];
}
