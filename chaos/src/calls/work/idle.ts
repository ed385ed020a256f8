import { setTimeout } from "node:timers/promises";
import type { WorkContext } from "./work-context.js";

/** Lets others go first, for up to so many milliseconds. */
export async function idle({ random }: Pick<WorkContext, "random">, mostMs: number): Promise<void> {
  await setTimeout(random.between(0, mostMs));
}
