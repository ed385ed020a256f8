import type { Random } from "run-tools";

/** Disturbs a server and resolves when that is over. Ends early when the run does. */
type OwnStrike = (random: Random, wait: (ms: number) => Promise<void>) => Promise<void>;

/** What a store needs besides its folder, such as a server, and how that can be disturbed. */
export interface Surroundings {
  /** By its name in the table. */
  readonly strikes: Readonly<Record<string, OwnStrike>>;
  /** Ends what was started. The data stays in the run's folder. */
  end(): Promise<void>;
}
