import { setTimeout } from "node:timers/promises";
import type { Random } from "run-tools";

/** Waits up to `maxMs`, so that other lanes and processes run in between. */
export async function pauseRandomly({ random }: { readonly random: Random }, maxMs: number): Promise<void> {
  await setTimeout(random.between(0, maxMs));
}
