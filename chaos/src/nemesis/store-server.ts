import type { Random } from "run-tools";

/** Disturbs a server and resolves when the disturbance is over. `wait` ends early when the run does. */
type ServerDisturbance = (random: Random, wait: (ms: number) => Promise<void>) => Promise<void>;

/** A server that a store needs besides its folder, and how the server can be disturbed. */
export interface StoreServer {
  /** By their names in the table of the report. */
  readonly disturbances: Readonly<Record<string, ServerDisturbance>>;
  /** Stops the server. Its data stays in the run's folder. */
  stop(): Promise<void>;
}
