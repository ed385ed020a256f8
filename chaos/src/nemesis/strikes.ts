import type { Random } from "run-tools";

/** Disturbances of every run. */
type CommonStrike = "kill" | "pause" | "step-clock" | "fill-disk";

/** One of those, or the name of a disturbance of this store's server. */
export type Strike = CommonStrike | { readonly own: string };

const DECK: readonly Strike[] = [
  "kill",
  "kill",
  "kill",
  "kill",
  "kill",
  "pause",
  "step-clock",
  "step-clock",
  "fill-disk",
];

/** An endless sequence of strikes, from a deck that is shuffled each time: no kind is absent for long. */
export function* strikes(random: Random, own: readonly string[]): Generator<Strike, never> {
  const deck = [...DECK, ...own.map((name) => ({ own: name }))];
  for (;;) yield* random.shuffled(deck);
}
