import type { Random } from "run-tools";

/** Something that befalls a server: it ends early when the run does, and resolves when it is over. */
type OwnStrike = (random: Random, wait: (ms: number) => Promise<void>) => Promise<void>;

/** What a store needs besides its folder, such as a server, and what can befall that. */
export interface Surroundings {
  /** By the name that the table has for it. */
  readonly strikes: Readonly<Record<string, OwnStrike>>;
  /** Ends what was started. The data stays in the run's folder. */
  end(): Promise<void>;
}
