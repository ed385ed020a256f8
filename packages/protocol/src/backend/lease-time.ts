/**
 * The clock that leases are measured by. Wall clocks differ between processes and may be set, so none of them decides
 * whether a lease is over.
 */
export interface LeaseClock {
  /** Names the clock: one boot of a machine, one server, one process. Only readings of one domain can be compared. */
  readonly domain: string;
  /** Milliseconds that only grow within the domain. */
  now(): number;
}

/** A reading of a lease clock. */
export interface LeaseTime {
  readonly domain: string;
  readonly now: number;
}

/** The domain of a store whose server gives every commit its time. */
export const SERVER_DOMAIN = "server";
