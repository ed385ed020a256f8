/** The clock of leases. Wall clocks differ between processes and may be set, so they never decide whether a lease is over. */
export interface LeaseClock {
  /** Identifies the clock: one boot of a machine, one server, one process. Only times of one domain can be compared. */
  readonly domain: string;
  /** Milliseconds that only grow within the domain. */
  now(): number;
}

/** A time on a lease clock. */
export interface LeaseTime {
  readonly domain: string;
  readonly now: number;
}

/** The domain of a store whose server sets the time of every commit. */
export const SERVER_DOMAIN = "server";
