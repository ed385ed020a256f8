import type { Random } from "run-tools";

/** Disturbances of workers and of the disk, on every store. */
type CommonDisturbance = "kill" | "pause" | "step-clock" | "fill-disk";

/** A common disturbance, or the name of a disturbance of the store's server. */
export type Disturbance = CommonDisturbance | { readonly server: string };

const DECK: readonly Disturbance[] = [
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

/** An endless sequence. The deck is shuffled before each pass, so that no kind is absent for long. */
export function* disturbances(random: Random, ofServer: readonly string[]): Generator<Disturbance, never> {
  const deck = [...DECK, ...ofServer.map((server) => ({ server }))];
  for (;;) yield* random.shuffled(deck);
}
