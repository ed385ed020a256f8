import type { LeaseClock } from "../backend/lease-time.js";
import type { SessionRecord, TurnState } from "../backend/session-record.js";
import type { LeaseVersion } from "../operations/turn-operation.js";
import type { Clock } from "../platform/clock.js";

/** Evicting a session delays the takeover of its turn by one lease at most. */
const MAX_SESSIONS = 1_000;

/** The lease of a turn or of a ticket. It has to be renewed in time. */
export type Lease = LeaseVersion & Pick<TurnState, "ttlMs" | "expiresAt" | "domain" | "until">;

interface Observation {
  readonly lease: Lease;
  readonly since: number;
}

/**
 * The leases of other time domains that one store has read, timed by its own monotonic clock. A lease that stays
 * unchanged for its whole time to live is over, whatever any wall clock says. Observations outlive single calls, so a
 * caller that polls without waiting can also take over a dead turn.
 */
export class ObservedLeases {
  readonly #clock: Clock;
  readonly #leaseClock: LeaseClock;
  readonly #observations = new Map<string, readonly Observation[]>();

  constructor(clock: Clock, leaseClock: LeaseClock) {
    this.#clock = clock;
    this.#leaseClock = leaseClock;
  }

  /** Records the leases of a session after it was read. A renewal during the read counts as made at the end of the read. */
  observe(sessionId: string, record: Pick<SessionRecord, "turn" | "queue"> | undefined): void {
    const known = this.#observations.get(sessionId);
    const leases = record === undefined ? [] : leasesOf(record).filter((lease) => this.#isForeign(lease));
    if (known === undefined && leases.length === 0) return;
    const now = this.#clock.monotonic();
    this.#observations.delete(sessionId); // moves it to the end: the session that was read longest ago is evicted first
    if (leases.length === 0) return;
    this.#observations.set(
      sessionId,
      leases.map((lease) => ({ lease, since: known?.find(isOf(lease))?.since ?? now })),
    );
    for (const oldest of this.#observations.keys()) {
      if (this.#observations.size <= MAX_SESSIONS) break;
      this.#observations.delete(oldest);
    }
  }

  /** The leases of a session that were seen unchanged for their whole time to live. */
  unchanged(sessionId: string): readonly LeaseVersion[] {
    const observations = this.#observations.get(sessionId) ?? [];
    return observations
      .filter((observation) => this.#leftMs(observation) <= 0)
      .map(({ lease: { token, renewals } }) => ({ token, renewals }));
  }

  /** How long until this store may take over a lease that is not renewed. 0 if it may now. */
  untilOverMs(sessionId: string, lease: Lease): number {
    if (!this.#isForeign(lease)) return Math.max(0, (lease.until ?? 0) - this.#leaseClock.now());
    const observation = this.#observations.get(sessionId)?.find(isOf(lease));
    return observation === undefined ? lease.ttlMs : Math.max(0, this.#leftMs(observation));
  }

  /**
   * How long until an attempt makes sense. A lease of another domain may be over by a clock that only the backend
   * reads, such as a server's. So the wall clock decides when to try, and the commit decides whether the lease is over.
   */
  untilWorthTryingMs(sessionId: string, lease: Lease): number {
    const overMs = this.untilOverMs(sessionId, lease);
    if (!this.#isForeign(lease)) return overMs;
    return Math.max(0, Math.min(overMs, lease.expiresAt - this.#clock.now()));
  }

  /** Whether a lease appears to be over, for display: by its own clock if this process can read it, else by wall time. */
  seemsOver(lease: Pick<Lease, "expiresAt" | "domain" | "until">): boolean {
    const { expiresAt, domain, until = expiresAt } = lease;
    if (domain === this.#leaseClock.domain) return until <= this.#leaseClock.now();
    return expiresAt <= this.#clock.now();
  }

  #leftMs({ lease, since }: Observation): number {
    return since + lease.ttlMs - this.#clock.monotonic();
  }

  #isForeign({ domain }: Lease): boolean {
    return domain !== this.#leaseClock.domain;
  }
}

/** The leases of the turn and of the tickets, in order. */
export function leasesOf({ turn, queue }: Pick<SessionRecord, "turn" | "queue">): readonly Lease[] {
  const tickets = queue.map((ticket) => ({ ...ticket, token: ticket.ticket }));
  return turn === undefined ? tickets : [turn, ...tickets];
}

function isOf(lease: LeaseVersion): (observation: Observation) => boolean {
  return ({ lease: seen }) => seen.token === lease.token && seen.renewals === lease.renewals;
}
