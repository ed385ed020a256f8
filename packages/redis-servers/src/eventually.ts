import { setTimeout } from "node:timers/promises";

const STEP_MS = 20;
const DEADLINE_MS = 30_000;

/** What servers say, and whether that is what is waited for. */
export interface Look {
  readonly holds: boolean;
  readonly seen: unknown;
}

/**
 * Waits until servers have agreed on something. They may refuse to answer meanwhile: one that is promoted closes its
 * connections. What they last said stands in the error, if it never comes about.
 */
export async function eventually(what: string, look: () => Promise<Look>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const { holds, seen } = await look().catch((error: unknown): Look => ({ holds: false, seen: error }));
    if (holds) return;
    if (performance.now() > deadline)
      throw new Error(`for ${DEADLINE_MS} ms it did not come about that ${what}. Last seen: ${String(seen)}`);
    await setTimeout(STEP_MS);
  }
}
