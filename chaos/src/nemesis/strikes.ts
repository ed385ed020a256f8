import type { Random } from "run-tools";

/** What can befall any run. */
type CommonStrike = "kill" | "pause" | "step-clock" | "fill-disk";

/** One of those, or one that only this store's surroundings know, by its name. */
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

/** Strikes without end: from a deck that is shuffled anew each time, so that none of them stays away for long. */
export function* strikes(random: Random, own: readonly string[]): Generator<Strike, never> {
  const deck = [...DECK, ...own.map((name) => ({ own: name }))];
  for (;;) yield* random.shuffled(deck);
}
