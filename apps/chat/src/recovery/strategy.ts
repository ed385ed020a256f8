import type { RecoverOptions } from "@sessions/managed-agent";

/** What can be done with an answer that was cut off. */
export type Strategy = RecoverOptions["strategy"];

const STRATEGIES: readonly Strategy[] = ["keep", "retry", "discard"];

/** Reads a strategy by its name or the beginning of it; `undefined` if it is none. */
export function readStrategy(given: string): Strategy | undefined {
  const word = given.trim().toLowerCase();
  return word === "" ? undefined : STRATEGIES.find((strategy) => strategy.startsWith(word));
}
