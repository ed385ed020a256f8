import type { Random } from "../random.js";

/** What can befall a run. */
export type Strike = "kill" | "pause" | "step-clock" | "fill-disk";

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
export function* strikes(random: Random): Generator<Strike, never> {
  for (;;) yield* random.shuffled(DECK);
}
