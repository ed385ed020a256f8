import type { RecoverOptions } from "@sessions/managed-agent";

/** The ways to recover an answer that was cut off. */
export type Strategy = RecoverOptions["strategy"];

const STRATEGIES: readonly Strategy[] = ["keep", "retry", "discard"];

/** Finds a strategy by its name or the beginning of it, or returns `undefined`. */
export function readStrategy(given: string): Strategy | undefined {
  const word = given.trim().toLowerCase();
  return word === "" ? undefined : STRATEGIES.find((strategy) => strategy.startsWith(word));
}
