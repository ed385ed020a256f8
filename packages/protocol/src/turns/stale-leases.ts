import type { Clock } from "../names/clock.js";
import type { Stale } from "../operations/turn-operation.js";

/** What has to be seen to move, or is dead: a turn or a ticket. */
export interface Lease extends Stale {
  readonly ttlMs: number;
  readonly expiresAt: number;
}

interface Sighting {
  readonly lease: Lease;
  readonly since: number;
}

/**
 * Watches leases by a monotonic clock. One that stands still for its whole time to live is dead, whatever the wall
 * clock says: a clock that was set back must not lock a session for hours.
 */
export class StaleLeases {
  readonly #clock: Clock;
  #sightings: readonly Sighting[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  observe(leases: readonly Lease[]): void {
    const now = this.#clock.monotonic();
    this.#sightings = leases.map((lease) => ({ lease, since: this.#sighting(lease)?.since ?? now }));
  }

  isStale(lease: Lease): boolean {
    const sighting = this.#sighting(lease);
    return sighting !== undefined && this.#clock.monotonic() - sighting.since >= lease.ttlMs;
  }

  /** All that were seen to stand still. */
  seen(): readonly Stale[] {
    return this.#sightings
      .filter(({ lease }) => this.isStale(lease))
      .map(({ lease: { token, renewals } }) => ({ token, renewals }));
  }

  /** How long until one of them is, or may be expired by the wall clock. */
  nextMs(): number {
    const [monotonic, wall] = [this.#clock.monotonic(), this.#clock.now()];
    return this.#sightings.reduce((next, { lease, since }) => {
      const soonest = Math.min(since + lease.ttlMs - monotonic, lease.expiresAt - wall);
      return Math.min(next, Math.max(1, soonest));
    }, Number.POSITIVE_INFINITY);
  }

  #sighting(lease: Stale): Sighting | undefined {
    return this.#sightings.find(
      (seen) => seen.lease.token === lease.token && seen.lease.renewals === lease.renewals,
    );
  }
}
